/** The locales of the shop; the first is the default. */
export const LOCALES = ['es-MX', 'en'] as const;
export type Locale = (typeof LOCALES)[number];

/** A text in the default locale, and optionally in the others. */
export type Texts = Readonly<Record<(typeof LOCALES)[0], string>> & Readonly<Partial<Record<Locale, string>>>;

/** Returns the text in this locale, or in the default locale if it is not translated. */
export function textIn(texts: Texts, locale: Locale): string {
  return texts[locale] ?? texts[LOCALES[0]];
}
