import { type Locale, type Texts, textIn } from '../shop/rules/locale.js';
import { type Formats, formatsOf } from './format.js';
import type { Translate, Translations } from './translations.js';

/** Locale, messages and formats of a page or a mail. */
export interface I18n extends Formats {
  readonly locale: Locale;
  readonly t: Translate;
  text(texts: Texts): string;
}

export function i18nIn(translations: Translations, locale: Locale): I18n {
  const text = (texts: Texts) => textIn(texts, locale);
  return { ...formatsOf(locale), locale, t: translations.in(locale), text };
}
