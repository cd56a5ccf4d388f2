/** What a merchant chooses for a shop, and what a project has chosen already. */
import type { Files } from './code/source.js';
import { card } from './ways/card.js';
import { hosted } from './ways/hosted.js';

export const WAYS = ['hosted', 'card'] as const;
export type Way = (typeof WAYS)[number];

/** `$1,234.50`, or `$1,234.50 MXN`. */
export const MONEYS = ['symbol', 'code'] as const;
export type Money = (typeof MONEYS)[number];

export const LANGUAGES = ['es-MX', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface Answers {
  readonly name: string;
  readonly money: Money;
  /** The first is for visitors whose browser asks for none of them. */
  readonly languages: readonly Language[];
  readonly ways: readonly Way[];
}

export const PARTINGS = { hosted, card } as const;
export const BRAND_FILE = 'src/words/brand.ts';
export const MONEY_FILE = 'src/words/format.ts';
export const SETTINGS_FILE = '.env';

/** How the project stands. */
export function presentAnswers(files: Files): Answers {
  const read = (path: string) => files.get(path) ?? '';
  return {
    name: nameIn(read(BRAND_FILE)),
    money: read(MONEY_FILE).includes('narrowSymbol') ? 'code' : 'symbol',
    languages: languagesIn(read(SETTINGS_FILE)),
    ways: WAYS.filter((way) => PARTINGS[way].files.every((path) => files.has(path))),
  };
}

function languagesIn(settings: string): readonly Language[] {
  const of = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(settings)?.[1] ?? '';
  const spoken = [of('DEFAULT_LOCALE'), ...of('LANGUAGES').split(/[\s,]+/)].filter(Boolean);
  const others = of('LANGUAGES') === '' ? LANGUAGES : [];
  return [...new Set([...spoken, ...others])].filter((each): each is Language =>
    LANGUAGES.some((one) => one === each),
  );
}

const BRAND = /export const BRAND = '((?:[^'\\]|\\.)*)';/;

function nameIn(text: string): string {
  return (BRAND.exec(text)?.[1] ?? '').replace(/\\(.)/g, '$1');
}

/** The brand file with this name in it. */
export function withName(text: string, name: string): string {
  if (!BRAND.test(text)) throw new Error(`${BRAND_FILE} holds no BRAND any more`);
  return text.replace(BRAND, () => brandLine(name));
}

export function brandLine(name: string): string {
  return `export const BRAND = '${name.replace(/['\\]/g, '\\$&')}';`;
}
