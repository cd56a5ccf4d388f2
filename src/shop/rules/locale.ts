import { LOCALES } from './locales.js';

export type Locale = (typeof LOCALES)[number];

export type Texts = Readonly<Partial<Record<Locale, string>>>;

/** Returns the text in this locale, or in the first locale that has one. Empty if none has. */
export function textIn(texts: Texts, locale: Locale): string {
  const has = [locale, ...LOCALES].find((each) => texts[each] !== undefined);
  return (has && texts[has]) ?? '';
}
