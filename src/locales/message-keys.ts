/** The keys of the messages, as types. */
import type { MESSAGES } from '../features/messages.js';

/**
 * Sections to which the core and each feature add. Their words are stored in the database or are names of form fields, so a
 * key such as `events.note_changed` does not name the feature. All other keys of a feature begin with its name.
 */
export const SHARED = ['details', 'events', 'fields', 'jobs', 'refusals', 'results', 'words'] as const;
type Shared = (typeof SHARED)[number];

type Core = (typeof MESSAGES)['es-MX']['core'];
type Features = (typeof MESSAGES)['es-MX']['features'];
type SharedBy<Feature> = { [K in Shared & keyof Feature]: Feature[K] };
/** The messages as `t` finds them. */
type Messages =
  | Core
  | { [Name in keyof Features]: Omit<Features[Name], Shared> }
  | { [Name in keyof Features]: SharedBy<Features[Name]> }[keyof Features];

/** The plural messages of a key have the suffixes `_one`, `_many` and `_other`. Callers use the key without suffix. */
type Singular<Name, Names> = Name extends `${infer Base}_${'one' | 'many' | 'other'}`
  ? `${Base}_other` extends Names
    ? Base
    : Name
  : Name;

type Path<T> = {
  [K in keyof T & string]: T[K] extends string ? Singular<K, keyof T> & string : `${K}.${Path<T[K]>}`;
}[keyof T & string];
type PathOfEach<T> = T extends unknown ? Path<T> : never;

type FullPath<T> = { [K in keyof T & string]: T[K] extends string ? K : `${K}.${FullPath<T[K]>}` }[keyof T & string];
type FullPathOfEach<T> = T extends unknown ? FullPath<T> : never;
/** `src/locales/brand.ts` has their texts. */
type OfBrand = 'site.name' | `brand.${string}`;
/** Texts by the whole key of their message, its plural suffix included. */
export type OwnTexts = Readonly<Partial<Record<Exclude<FullPathOfEach<Messages>, OfBrand>, string>>>;

/** Dotted path of a message, such as `cart.heading`. An unknown key is a compile error. */
export type MessageKey = PathOfEach<Messages>;

type KeysOf<T> = T extends unknown ? keyof T : never;
/** The words of a shared section, those of the features included. */
export type WordOf<Section extends Shared> = KeysOf<
  Messages extends infer Each ? (Each extends { readonly [K in Section]: infer Words } ? Words : never) : never
> &
  string;
