import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ejs from 'ejs';
import type { OrderLine } from '../domain/cart.js';
import { type Centavos, times } from '../domain/money.js';
import { brand } from '../locales/brand.js';
import type { I18n } from '../locales/i18n.js';

export interface MailLink {
  readonly label: string;
  readonly href: string;
}

/** The translated content of a mail, rendered as text and as HTML. */
export interface MailContent {
  readonly subject: string;
  /** Preview text that mail programs show beside the subject. */
  readonly preview: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** The order lines of a receipt. */
  readonly lines?: readonly OrderLine[];
  readonly total: Centavos;
  readonly link: MailLink;
  readonly secondLink?: MailLink;
  readonly closing: string;
}

/** Renders a letter as plain text and as HTML. */
export type RenderMail = (content: MailContent, i18n: I18n) => { readonly text: string; readonly html: string };

/** Loads the template. `brandColor` is `#RRGGBB`. */
export function loadMailTemplate(views: string, brandColor: string): RenderMail {
  const filename = join(views, 'mail', 'mail.ejs');
  const options = { filename, strict: true, _with: false, localsName: 'it' };
  const template = ejs.compile(readFileSync(filename, 'utf8'), options);
  const merchant = Object.values(brand.merchant);
  return (content, i18n) => ({
    text: asText(content, i18n),
    html: template({ lines: [], ...content, ...i18n, brandColor, merchant }),
  });
}

function asText({ lines = [], secondLink, ...mail }: MailContent, { t, money, tax }: I18n): string {
  const bought = lines.map(
    ({ name, quantity, unitPrice }) => `${quantity} × ${name}  ${money(times(unitPrice, quantity))}`,
  );
  const included = tax(lines);
  return [
    mail.heading,
    '',
    ...mail.paragraphs,
    '',
    ...(lines.length > 0 ? [...bought, `${t('order.total')}: ${money(mail.total)}`] : []),
    ...(included ? [`${t('summary.tax')}: ${included}`] : []),
    ...(lines.length > 0 ? [''] : []),
    `${mail.link.label}:`,
    mail.link.href,
    '',
    ...(secondLink ? [`${secondLink.label}:`, secondLink.href, ''] : []),
    mail.closing,
    t('site.name'),
    '',
    ...Object.values(brand.merchant),
  ].join('\n');
}
