import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Centavos, times } from '@tianguis/payments/rules';
import ejs from 'ejs';
import type { Brand } from '../locales/brand.js';
import { discountRow } from '../locales/discount-row.js';
import type { I18n } from '../locales/i18n.js';
import type { Translate } from '../locales/translations.js';
import type { OrderLine } from '../shop/rules/cart.js';
import { isFee } from '../shop/rules/fees.js';
import { pictureHashOf } from '../shop/rules/picture.js';
import type { MailFile } from './mailer.js';

export interface MailLink {
  readonly label: string;
  readonly href: string;
}

/** A fact with its label, such as a delivery address. With `href` the label is a link. */
export interface MailFact {
  readonly label: string;
  readonly lines: readonly string[];
  readonly href?: string;
}

/** The translated content of a mail, rendered as text and as HTML. */
export interface MailContent {
  readonly attachments?: readonly MailFile[];
  readonly subject: string;
  /** Preview text that mail programs show beside the subject. */
  readonly preview: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly facts?: readonly MailFact[];
  /** The order lines of a receipt. */
  readonly lines?: readonly OrderLine[];
  /** The code of their discount. */
  readonly discountCode?: string | null;
  readonly total: Centavos;
  readonly link: MailLink;
  readonly secondLink?: MailLink;
  readonly closing: string;
}

/** Renders a letter as plain text and as HTML. */
export type RenderMail = (
  content: MailContent,
  i18n: I18n,
  shop: MailShop,
) => { readonly text: string; readonly html: string };

/** What mails show of the shop. */
export interface MailShop {
  readonly brand: Brand;
  /** `#RRGGBB`. */
  readonly brandColor: string;
}

/** Loads the template. `urlOf` returns the absolute URL of a picture. */
export function loadMailTemplate(views: string, urlOf: (picture: string) => string): RenderMail {
  const filename = join(views, 'mail', 'mail.ejs');
  const options = { filename, strict: true, _with: false, localsName: 'it' };
  const template = ejs.compile(readFileSync(filename, 'utf8'), options);
  return (content, i18n, { brand, brandColor }) => {
    const design = { brandColor, brandInk: inkOn(brandColor) };
    // An uploaded logo has a JPEG at its address. Mail programs show no WebP.
    const isSquareLogo = pictureHashOf(brand.logo) === undefined;
    const logo = isSquareLogo ? brand.mailLogo : brand.logo;
    const logoUrl = logo && urlOf(logo);
    const merchant = merchantLines(brand, i18n.t);
    const { lines = [], discountCode = null } = content;
    const discount = discountRow(i18n, discountCode, lines);
    const parts = { ...design, logoUrl, isSquareLogo, isFee, merchant, discount };
    return {
      text: asText(content, i18n, { merchant, discount }),
      html: template({ facts: [], ...content, lines, ...i18n, ...parts }),
    };
  };
}

/** Returns black or white, the one with the higher contrast on a color. It is at least 4.5. */
function inkOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [...Buffer.from(color.slice(1), 'hex')].map((channel) => {
    const share = channel / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

function merchantLines({ merchant }: Brand, t: Translate): readonly string[] {
  const { legalName, rfc = '', address, phone, email } = merchant;
  return [legalName, ...(rfc === '' ? [] : [t('merchant.rfc', { rfc })]), address, phone, email];
}

interface MailParts {
  readonly merchant: readonly string[];
  readonly discount: ReturnType<typeof discountRow>;
}

function asText(content: MailContent, { t, money, tax }: I18n, { merchant, discount }: MailParts): string {
  const { lines = [], facts = [], secondLink, ...mail } = content;
  const bought = lines.map(({ productId, name, quantity, unitPrice, priceBefore }) => {
    const before = priceBefore ? ` (${t('product.priceBefore')} ${money(times(priceBefore, quantity))})` : '';
    const amount = money(times(unitPrice, quantity)) + before;
    return isFee(productId) ? `${name}  ${amount}` : `${quantity} × ${name}  ${amount}`;
  });
  const included = tax(lines);
  return [
    mail.heading,
    '',
    ...mail.paragraphs,
    '',
    ...facts.flatMap(({ label, lines: values, href }) => [
      `${label}:`,
      ...(href === undefined ? values : [...values, href]).map((line) => `  ${line}`),
      '',
    ]),
    ...bought,
    ...(discount ? [`${discount.label}: ${discount.amount}`] : []),
    ...(lines.length > 0 ? [`${t('order.total')}: ${money(mail.total)}`] : []),
    ...(included ? [`${t('summary.tax')}: ${included}`] : []),
    ...(lines.length > 0 ? [''] : []),
    `${mail.link.label}:`,
    mail.link.href,
    '',
    ...(secondLink ? [`${secondLink.label}:`, secondLink.href, ''] : []),
    mail.closing,
    t('site.name'),
    '',
    ...merchant,
  ].join('\n');
}
