import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ejs from 'ejs';
import type { Locale } from '../domain/locale.js';

export interface MailLink {
  readonly label: string;
  readonly href: string;
}

/** The translated content of a mail, rendered as text and as HTML. */
export interface MailContent {
  readonly lang: Locale;
  readonly shop: string;
  readonly subject: string;
  /** Preview text that mail programs show beside the subject. */
  readonly preview: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** The order lines. Empty for a mail that is not a receipt. */
  readonly lines: readonly { readonly name: string; readonly quantity: number; readonly lineTotal: string }[];
  readonly columns: Readonly<Record<'what' | 'amount' | 'total' | 'tax', string>>;
  readonly total: string;
  /** IVA that the total includes. Absent if it is zero. */
  readonly tax?: string;
  readonly link: MailLink;
  readonly secondLink?: MailLink;
  readonly closing: string;
  /** Identity of the merchant: name, address, phone, e-mail address. */
  readonly merchant: readonly string[];
}

/** Renders a letter as plain text and as HTML. */
export type RenderMail = (content: MailContent) => { readonly text: string; readonly html: string };

/** Loads the template. `brandColor` is `#RRGGBB`. */
export function loadMailTemplate(views: string, brandColor: string): RenderMail {
  const filename = join(views, 'mail', 'mail.ejs');
  const options = { filename, strict: true, _with: false, localsName: 'it' };
  const template = ejs.compile(readFileSync(filename, 'utf8'), options);
  return (content) => ({ text: asText(content), html: template({ ...content, brandColor }) });
}

function asText(content: MailContent): string {
  const { heading, paragraphs, lines, columns, total, tax, link, secondLink, closing, shop, merchant } =
    content;
  const bought = lines.map((line) => `${line.quantity} × ${line.name}  ${line.lineTotal}`);
  const totals = [`${columns.total}: ${total}`, ...(tax ? [`${columns.tax}: ${tax}`] : [])];
  return [
    heading,
    '',
    ...paragraphs,
    '',
    ...(bought.length > 0 ? [...bought, ...totals, ''] : []),
    `${link.label}:`,
    link.href,
    '',
    ...(secondLink ? [`${secondLink.label}:`, secondLink.href, ''] : []),
    closing,
    shop,
    '',
    ...merchant,
  ].join('\n');
}
