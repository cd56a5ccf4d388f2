import i18next, { type TFunction } from 'i18next';
import { LOCALES, type Locale } from '../core/catalogue.js';
import { en } from './en.js';
import { esMx } from './es-mx.js';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    /** A key that no language has does not compile. */
    resources: { translation: typeof esMx };
  }
}

export type Translate = TFunction;

export interface Translations {
  /** The words of one language. */
  in(locale: Locale): Translate;
}

/** Loads the words of every language. Escaping is the views' part. */
export function loadTranslations(): Translations {
  const instance = i18next.createInstance();
  void instance.init({
    lng: LOCALES[0],
    fallbackLng: false,
    supportedLngs: [...LOCALES],
    resources: { 'es-MX': { translation: esMx }, en: { translation: en } },
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  const fixed = {
    'es-MX': remembering(instance.getFixedT('es-MX')),
    en: remembering(instance.getFixedT('en')),
  };
  return { in: (locale) => fixed[locale] };
}

/** Enough for every text of the shop with each product in it. */
const MOST_REMEMBERED = 2_000;

/** A page has dozens of texts, and most of them were on the page before: each is put together once. */
function remembering(translate: Translate): Translate {
  const known = new Map<string, unknown>();
  const lookUp: (...words: never[]) => unknown = translate;
  const remembered = (...words: never[]): unknown => {
    const name = JSON.stringify(words);
    const found = known.get(name);
    if (found !== undefined) return found;
    const text = lookUp(...words);
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size >= MOST_REMEMBERED) known.delete(oldest);
    known.set(name, text);
    return text;
  };
  return remembered as unknown as Translate;
}
