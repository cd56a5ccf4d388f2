/** Edits the text of the two files that setup writes: `.env` and `src/locales/brand.ts`. */
import dotenv from 'dotenv';
import { type Environment, readSettings } from '../../src/settings.js';

const BRAND = /^export const BRAND = (?:'(.*)'|"(.*)");$/m;
export const NAME_RULE = 'must be 1 to 60 characters on one line, without < > " and \\';

/** Whether a shop name follows `NAME_RULE`. */
export function isShopName(name: string): boolean {
  return /^[^\p{C}<>"\\]{1,60}$/u.test(name) && name.trim() === name;
}

/** Returns the shop name in the text of the brand file, or an empty text. */
export function shopNameIn(brandFile: string): string {
  const [, single, double] = BRAND.exec(brandFile) ?? [];
  return single ?? double ?? '';
}

/** Replaces the shop name in the text of the brand file. Throws when the file does not define BRAND on one line. */
export function withShopName(brandFile: string, name: string): string {
  if (!BRAND.test(brandFile)) throw new Error('src/locales/brand.ts does not define BRAND on one line');
  const quote = name.includes("'") ? '"' : "'";
  return brandFile.replace(BRAND, () => `export const BRAND = ${quote}${name}${quote};`);
}

/** Returns the sender of mails with the new name and the same address. */
export function withSenderName(mailFrom: string, name: string): string {
  const address = /<([^>]*)>$/.exec(mailFrom)?.[1] ?? mailFrom;
  // These characters are special in a mail header.
  return `${name.replace(/[,;:@()[\]]/g, '')} <${address}>`;
}

/**
 * Replaces settings in the text of an `.env` file and appends missing ones. Throws an error with all problems when the
 * shop would reject the result.
 */
export function withSettings(envFile: string, settings: Readonly<Record<string, string>>): string {
  let text = envFile;
  for (const [name, value] of Object.entries(settings)) {
    const line = `${name}=${quoted(value)}`;
    const present = new RegExp(`^${name}=.*$`, 'm');
    text = present.test(text) ? text.replace(present, () => line) : `${text.trimEnd()}\n${line}\n`;
  }
  const written: Environment = dotenv.parse(text);
  const unwritable = Object.keys(settings).filter((name) => written[name] !== settings[name]);
  const reading = readSettings(written);
  const problems = [
    ...unwritable.map((name) => `${name}: cannot be written to .env`),
    ...(reading.ok ? [] : reading.problems),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return text;
}

function quoted(value: string): string {
  if (/^[\w<>@. ,:/-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find((each) => !value.includes(each)) ?? "'";
  return `${quote}${value}${quote}`;
}
