import type { Brand } from '../locales/brand.js';
import { brandLinks } from '../locales/brand-links.js';
import type { I18n } from '../locales/i18n.js';
import { shippingList } from '../locales/shipping-text.js';
import type { ShippingTable } from '../shop/rules/shipping-table.js';

/** Signs that mean something within a line of Markdown. */
const MARKDOWN = /[\\`*_[\]<>~]/g;

/** Returns the values of the placeholders of `content/`, as Markdown: the merchant, its links and the shipping options. */
export function contentValues(
  { brand, shipping }: { readonly brand: Brand; readonly shipping: ShippingTable },
  i18n: I18n,
): Readonly<Record<string, string>> {
  const { phone, email, ...texts } = brand.merchant;
  const plain = Object.entries(texts).map(([name, value]) => [name, value.replace(MARKDOWN, '\\$&')]);
  const merchant = [...plain, ['phone', phone], ['email', email]].map(([name, value]) => [`merchant.${name}`, value]);
  const links = brandLinks(brand).map(({ name, href }) => `- [${name}](${href})`);
  return { ...Object.fromEntries(merchant), links: links.join('\n'), shipping: shippingList(i18n, shipping) };
}
