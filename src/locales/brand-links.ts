import type { Brand } from './brand.js';
import type { I18n } from './i18n.js';

/** A link to the merchant on another site. */
export interface BrandLink {
  readonly name: string;
  readonly href: string;
}

/** Country code of a phone number of ten digits. */
const COUNTRY_CODE = '52';
const LENGTH = 10;

/** Returns the links to WhatsApp and to the profiles that the brand has. */
export function brandLinks({ whatsapp, social }: Pick<Brand, 'social' | 'whatsapp'>): readonly BrandLink[] {
  return [
    { name: 'WhatsApp', href: whatsAppAddress(whatsapp) },
    { name: 'Instagram', href: social.instagram },
    { name: 'Facebook', href: social.facebook },
    { name: 'TikTok', href: social.tiktok },
  ].filter(({ href }) => href !== '');
}

/**
 * Returns the link by which a customer asks about an order, by WhatsApp or else by mail. `undefined`: the brand has neither.
 * Of the order it holds the number only: the address goes to another site.
 */
export function helpLink(
  { whatsapp, merchant }: Pick<Brand, 'whatsapp' | 'merchant'>,
  { t }: I18n,
  number: string,
): BrandLink | undefined {
  const text = encodeURIComponent(t('order.helpText', { number }));
  const chat = whatsAppAddress(whatsapp);
  if (chat !== '') return { name: t('order.helpByWhatsApp'), href: `${chat}?text=${text}` };
  return merchant.email === ''
    ? undefined
    : { name: t('order.helpByMail'), href: `mailto:${merchant.email}?subject=${text}` };
}

/** Returns an empty text without a number. */
function whatsAppAddress(whatsapp: string): string {
  const digits = whatsapp.replace(/\D/g, '');
  const number = digits.length === LENGTH ? COUNTRY_CODE + digits : digits;
  return number && `https://wa.me/${number}`;
}
