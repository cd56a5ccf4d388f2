import type { Locale } from '../shop/rules/locale.js';
import { en } from './en.js';
import { esMx, type Messages } from './es-mx.js';

/** The plural messages of a key have the suffixes `_one`, `_many` and `_other`. Callers use the key without suffix. */
type Singular<Name, Names> = Name extends `${infer Base}_${'one' | 'many' | 'other'}`
  ? `${Base}_other` extends Names
    ? Base
    : Name
  : Name;

type Path<T> = {
  [K in keyof T & string]: T[K] extends string ? Singular<K, keyof T> & string : `${K}.${Path<T[K]>}`;
}[keyof T & string];

/** Dotted path of a message, such as `cart.heading`. An unknown key is a compile error. */
type MessageKey = Path<typeof esMx>;

/**
 * Returns a message with its `{{name}}` placeholders replaced. `count` also selects the plural form. Values are not
 * escaped: the views escape them. Returns the key if it has no message.
 */
export type Translate = (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string;

export interface Translations {
  in(locale: Locale): Translate;
}

/** Loads the messages of every locale. */
export function loadTranslations(): Translations {
  const translate: Readonly<Record<Locale, Translate>> = {
    'es-MX': translator('es-MX', esMx),
    en: translator('en', en),
  };
  return { in: (locale) => translate[locale] };
}

function translator(locale: Locale, messages: Messages): Translate {
  const texts = new Map(flatten(messages));
  const plurals = new Intl.PluralRules(locale);
  return (key, values) => {
    if (!values) return texts.get(key) ?? key;
    const plural = values['count'] === undefined ? key : `${key}_${plurals.select(Number(values['count']))}`;
    const text = texts.get(plural) ?? texts.get(key) ?? key;
    return text.replace(/\{\{(\w+)\}\}/g, (match, name: string) => String(values[name] ?? match));
  };
}

/** Returns each message with its dotted path. */
function flatten(messages: object, prefix = ''): [path: string, text: string][] {
  return Object.entries(messages).flatMap(([name, value]: [string, string | object]) =>
    typeof value === 'string' ? [[`${prefix}${name}`, value]] : flatten(value, `${prefix}${name}.`),
  );
}
