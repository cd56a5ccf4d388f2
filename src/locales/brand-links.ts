import type { Brand } from './brand.js';

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
  const digits = whatsapp.replace(/\D/g, '');
  const number = digits.length === LENGTH ? COUNTRY_CODE + digits : digits;
  return [
    { name: 'WhatsApp', href: number && `https://wa.me/${number}` },
    { name: 'Instagram', href: social.instagram },
    { name: 'Facebook', href: social.facebook },
    { name: 'TikTok', href: social.tiktok },
  ].filter(({ href }) => href !== '');
}
