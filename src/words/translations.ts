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

/** A page has dozens of texts that never change: each is looked up once. */
function remembering(translate: Translate): Translate {
  const known = new Map<unknown, unknown>();
  const lookUp: (...words: never[]) => unknown = translate;
  const remembered = (...words: never[]): unknown => {
    const [key] = words;
    if (words.length > 1) return lookUp(...words);
    if (!known.has(key)) known.set(key, lookUp(...words));
    return known.get(key);
  };
  return remembered as unknown as Translate;
}
