import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ejs from 'ejs';
import type { Locale } from '../core/catalogue.js';

/** What a mail says, as ready words: written once, sent as text and as HTML. */
export interface Letter {
  readonly lang: Locale;
  readonly shop: string;
  readonly subject: string;
  /** What a mailbox shows beside the subject. */
  readonly preview: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** What was bought; none for a mail that is about something else. */
  readonly lines: readonly { readonly name: string; readonly quantity: number; readonly lineTotal: string }[];
  readonly columns: { readonly what: string; readonly amount: string; readonly total: string };
  readonly total: string;
  readonly link: { readonly label: string; readonly href: string };
  readonly closing: string;
}

const file = fileURLToPath(new URL('../../views/mail/letter.ejs', import.meta.url));
const template = ejs.compile(readFileSync(file, 'utf8'), {
  filename: file,
  strict: true,
  _with: false,
  localsName: 'it',
});

/** The same words twice: for those who read mail as text, and for everybody else. */
export function writeLetter(letter: Letter): { readonly text: string; readonly html: string } {
  return { text: asText(letter), html: template(letter) };
}

function asText({ heading, paragraphs, lines, columns, total, link, closing, shop }: Letter): string {
  const bought = lines.map((line) => `${line.quantity} × ${line.name}  ${line.lineTotal}`);
  return [
    heading,
    '',
    ...paragraphs,
    '',
    ...(bought.length > 0 ? [...bought, `${columns.total}: ${total}`, ''] : []),
    `${link.label}:`,
    link.href,
    '',
    closing,
    shop,
  ].join('\n');
}
