import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** Writes the same words twice: for those who read mail as text, and for everybody else. */
export type WriteLetter = (letter: Letter) => { readonly text: string; readonly html: string };

/** Reads the template once, and the shop's colours from its stylesheet: a mailbox knows no variables. */
export function loadLetters(directories: { readonly views: string; readonly public: string }): WriteLetter {
  const filename = join(directories.views, 'mail', 'letter.ejs');
  const options = { filename, strict: true, _with: false, localsName: 'it' };
  const template = ejs.compile(readFileSync(filename, 'utf8'), options);
  const colours = coloursOf(readFileSync(join(directories.public, 'shop.css'), 'utf8'));
  return (letter) => ({ text: asText(letter), html: template({ ...letter, colours }) });
}

/** `--main: #a1173f;` → `main`; the light ones come first. */
function coloursOf(css: string): Readonly<Record<string, string>> {
  const set = [...css.matchAll(/--([\w-]+):\s*(#[0-9a-f]{3,8});/gi)];
  return Object.fromEntries(set.reverse().map(([, name, value]) => [name, value]));
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
