import type { Centavos } from '@tianguis/payments/rules';
import { type Texts, textIn } from './locale.js';
import { LOCALES } from './locales.js';
import { spelledWordsOf, withoutAccents, wordsOf } from './search-name.js';

/** IVA rates of a product, in percent. */
export const TAX_RATES = ['16', '8', '0', 'exempt'] as const;
export type TaxRate = (typeof TAX_RATES)[number];

/** Attributes in which the products of a group differ, by the names of search engines. */
export const VARIANT_ATTRIBUTES = ['size', 'color', 'pattern', 'material'] as const;
export type VariantAttribute = (typeof VARIANT_ATTRIBUTES)[number];

/** A category of the catalog. The id is the slug of its name in the first locale. */
export interface Category {
  readonly id: string;
  readonly name: Texts;
}

/** A product. The price is in centavos; `image` is a path below `public/`, or the address of an uploaded picture. */
export interface Product {
  readonly id: string;
  /** The last part of its address. Fixed after creation. */
  readonly slug: string;
  readonly category: Category;
  readonly price: Centavos;
  /** The former price that is shown crossed out, always above `price`; `null`: none. */
  readonly priceBefore: Centavos | null;
  /** In grams; `null`: unknown, and a parcel counts the default weight of the shipping table. */
  readonly weight: number | null;
  readonly taxRate: TaxRate;
  /** Pieces on hand; `null`: unlimited. */
  readonly stock: number | null;
  readonly requiresShipping: boolean;
  readonly visible: boolean;
  /** The catalog lists it before others. */
  readonly featured: boolean;
  readonly image: string;
  /** Product and unit keys of the tax authority (SAT), for invoices; empty if unset. */
  readonly claveProdServ: string;
  readonly claveUnidad: string;
  /** Id of the main product of its group; `null`: it is the main one, or has no group. */
  readonly variantOf: string | null;
  /** In which the products of its group differ; `null`: none is named. */
  readonly variantAttribute: VariantAttribute | null;
  /** What differs in the group, and the name without it. Every product of a group has it. */
  readonly variant?: { readonly label: Texts; readonly groupName: Texts };
  /** With the variant, as carts and orders show it: `Taza de talavera, azul`. */
  readonly name: Texts;
  readonly description: Texts;
  readonly imageAlt: Texts;
}

/** Returns the id of a product's group, which is that of its main product. */
export function groupIdOf({ id, variantOf }: Product): string {
  return variantOf ?? id;
}

/** Returns the name and the variant as one name, in each locale that has either. */
export function variantName(groupName: Texts, label: Texts): Texts {
  const locales = LOCALES.filter((locale) => groupName[locale] ?? label[locale]);
  return Object.fromEntries(
    locales.map((locale) => [locale, `${textIn(groupName, locale)}, ${textIn(label, locale)}`]),
  );
}

/** A product as a new customer may buy it. */
export interface OfferedProduct extends Product {
  /** Pieces that are neither sold nor reserved; `null`: unlimited. */
  readonly left: number | null;
}

/** Orders of the catalog that a customer can choose. Without one it has the merchant's order. */
export const CATALOG_SORTS = ['price_asc', 'price_desc', 'newest'] as const;
export type CatalogSort = (typeof CATALOG_SORTS)[number];

/** A catalog search. An empty text without filters matches every product. */
export interface CatalogQuery {
  /** Search words as typed. */
  readonly text: string;
  readonly category?: string | undefined;
  readonly sort?: CatalogSort | undefined;
  /** Products that are sold out do not match. */
  readonly isAvailable?: boolean | undefined;
  /** Lowest price. */
  readonly min?: Centavos | undefined;
  /** Highest price. */
  readonly max?: Centavos | undefined;
}

const SHORTEST_PLURAL = 4;

/** Separates the words of id and name from those of the other texts in the search text. No word holds it. */
export const END_OF_NAME = '|';

/** Returns the text in which `searchTerms` are found: the words of id and texts once, without accents and case. */
export function searchTextOf({ id, name, description, imageAlt, category }: Product): string {
  const others = [description, imageAlt, category.name].flatMap((each) => Object.values(each));
  const nameWords = wordsOf([id, ...Object.values(name)].join(' '));
  return ` ${[...new Set([...nameWords, END_OF_NAME, ...wordsOf(others.join(' '))])].join(' ')}`;
}

/** Each word of a search reads the text of all products. */
const MAX_TERMS = 6;

/** A word of a search, or a number with its unit. */
export interface SearchTerm {
  /** As typed, in lower case. */
  readonly spelling: string;
  /** The beginnings of words, with letters and digits only. A text has the term if it has all beginnings of one of the ways. */
  readonly ways: readonly (readonly string[])[];
}

/** They join names as `&` does, which is no word. */
const CONJUNCTIONS = ['y', 'e', 'and'];
const UNITS = /^(?:[cm]?l|lts?|m?g|grs?|kgs?|oz|lbs?|[cm]?m|mts?|in|pzs?|pzas?|gb|w|v)$/;

/** Returns the first six terms of a search. `750ml` and `750 ml` are the same term. */
export function searchTerms(text: string): readonly SearchTerm[] {
  const words = spelledWordsOf(text);
  const meaningful = words.filter((word) => !CONJUNCTIONS.includes(word));
  const parts = (meaningful.length > 0 ? meaningful : words).flatMap((word) => {
    const [, number, unit = ''] = /^(\d+)(\p{L}+)$/u.exec(word) ?? [];
    return number !== undefined && UNITS.test(unit) ? [number, unit] : [word];
  });
  const terms: SearchTerm[] = [];
  for (let place = 0; place < parts.length && terms.length < MAX_TERMS; place += 1) {
    const [part = '', next = ''] = parts.slice(place, place + 2);
    const isUnit = /^\d+$/.test(part) && UNITS.test(next);
    terms.push(isUnit ? unitTerm(part, next) : { spelling: part, ways: [[termOf(withoutAccents(part))]] });
    if (isUnit) place += 1;
  }
  return terms;
}

function unitTerm(number: string, unit: string): SearchTerm {
  return { spelling: `${number} ${unit}`, ways: [[termOf(number + unit)], [termOf(number), termOf(unit)]] };
}

/** Returns the text that a search text has if one of its words begins with this word, or with its singular. */
function termOf(word: string): string {
  return ` ${stem(word)}`;
}

/** Returns whether a text may be the id or slug of a product. */
export function isProductKey(text: string): boolean {
  return /^[\w-]{1,100}$/.test(text);
}

/** `Jabón de avena` → `jabon-de-avena`. */
export function slugOf(name: string): string {
  return withoutAccents(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Removes a plural ending, so that `tazas` or `mugs` also matches the singular. */
export function stem(word: string): string {
  return word.length < SHORTEST_PLURAL ? word : word.replace(/e?s$/, '');
}
