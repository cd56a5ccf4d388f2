import i18next, { type TFunction } from 'i18next';
import { LOCALES, type Locale } from '../domain/locale.js';
import { en } from './en.js';
import { esMx } from './es-mx.js';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    /** An unknown key is a compile error. */
    resources: { translation: typeof esMx };
  }
}

export type Translate = TFunction;

export interface Translations {
  /** Returns the translate function of a locale. */
  in(locale: Locale): Translate;
}

/** Loads the messages of every locale. Messages are not escaped: the views escape them. */
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

/** Maximum cache entries per locale. Enough for every message with each product name. */
const MOST_REMEMBERED = 2_000;

/** Caches translated messages. A page has dozens, and most repeat on the next page. The oldest entry is evicted. */
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
