import { MESSAGES } from '../features/messages.js';
import type { Locale } from '../shop/rules/locale.js';
import { type Brand, brand } from './brand.js';
import { type MessageKey, SHARED } from './message-keys.js';
import { ownTexts } from './own-texts.js';

/**
 * Returns a message with its `{{name}}` placeholders replaced. A value that ends with a point ends its sentence. `count` also selects the plural form. Values are not
 * escaped: the views escape them. Returns the key if it has no message.
 */
export type Translate = (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string;

export interface Translations {
  in(locale: Locale): Translate;
}

/** Loads the messages of every locale, with the name, the texts and the address of the merchant. */
export function loadTranslations(shown: Brand = brand): Translations {
  const translators = Object.entries(MESSAGES).map(([name, { core, features }]) => {
    const locale = name as Locale;
    const texts = new Map([...textsOf(core, features), ...Object.entries(ownTexts[locale] ?? {})]);
    return [locale, translator(locale, withBrand(texts, shown, locale))];
  });
  const translate: Readonly<Record<Locale, Translate>> = Object.fromEntries(translators);
  return { in: (locale) => translate[locale] };
}

/** Returns each message of core and features by its key. Throws if two have the same key. */
export function textsOf(core: object, features: Readonly<Record<string, object>>): ReadonlyMap<string, string> {
  const shared: readonly string[] = SHARED;
  const ofFeatures = Object.entries(features).flatMap(([feature, messages]) =>
    flatten(messages).map(([path, text]): [string, string] => {
      const [section = ''] = path.split('.');
      return [shared.includes(section) ? path : `${feature}.${path}`, text];
    }),
  );
  const texts = new Map(flatten(core));
  for (const [path, text] of ofFeatures) {
    if (texts.has(path)) throw new Error(`two messages have the key ${path}`);
    texts.set(path, text);
  }
  return texts;
}

function withBrand(texts: ReadonlyMap<string, string>, { name, merchant, texts: own }: Brand, locale: Locale) {
  // The texts end their sentence after the address, which may end with an abbreviation such as `Yuc.`.
  const address = merchant.address.replace(/\.$/, '');
  const filled = [...texts].map(([path, text]) => [path, text.replace('{{merchant.address}}', () => address)]);
  const brandTexts = Object.entries(own[locale as keyof Brand['texts']] ?? {}).map(([key, text]) => [
    `brand.${key}`,
    text,
  ]);
  return new Map<string, string>([...filled, ...brandTexts, ['site.name', name]] as [string, string][]);
}

function translator(locale: string, texts: ReadonlyMap<string, string>): Translate {
  const plurals = new Intl.PluralRules(locale);
  return (key, values) => {
    if (!values) return texts.get(key) ?? key;
    const plural = values['count'] === undefined ? key : `${key}_${plurals.select(Number(values['count']))}`;
    const text = texts.get(plural) ?? texts.get(key) ?? key;
    return text.replace(/\{\{(\w+)\}\}(\.?)/g, (_match, name: string, end: string) => {
      const value = String(values[name] ?? `{{${name}}}`);
      // A time such as `9:05 a.m.` and a name such as `Luz, S.A. de C.V.` end a sentence with their own point.
      return value.endsWith('.') ? value : value + end;
    });
  };
}

/** Returns each message with its dotted path. */
function flatten(messages: object, prefix = ''): [path: string, text: string][] {
  return Object.entries(messages).flatMap(([name, value]: [string, string | object]) =>
    typeof value === 'string' ? [[`${prefix}${name}`, value]] : flatten(value, `${prefix}${name}.`),
  );
}
