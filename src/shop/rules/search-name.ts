/** The search for orders by the customer's name, without regard to case, accents and punctuation. */

/** Minimum length of a name to search. The indexes hold this many letters before the time of the order. */
export const NAME_SEARCH_MIN = 3;

/** Columns of `orders` for the search by name: first name first, and last name first. */
export type SearchNames = ReturnType<typeof searchNames>;

/** Returns the search columns of a name. Empty columns for an empty name. */
export function searchNames(name: { readonly firstName: string; readonly lastName: string }) {
  const { firstName, lastName } = name;
  return {
    searchName: plainName(`${firstName} ${lastName}`),
    searchSurname: plainName(`${lastName} ${firstName}`),
  };
}

/** A name with more words is found by its first ones. */
const MAX_FURTHER_NAMES = 8;

/**
 * Returns the name from each word on that begins neither the first name nor the last name: `jose nunez maria` for
 * `María José Núñez`. With the columns of {@link searchNames}, every word of a name begins a text.
 */
export function furtherNames({ firstName, lastName }: { readonly firstName: string; readonly lastName: string }) {
  const words = wordsOf(`${firstName} ${lastName}`);
  const places = [...words.keys()].filter((place) => place !== 0 && place !== wordsOf(firstName).length);
  const names = places.map((place) => [...words.slice(place), ...words.slice(0, place)].join(' '));
  return [...new Set(names)].slice(0, MAX_FURTHER_NAMES);
}

/**
 * Returns the words of a searched name, the longest first. If none has {@link NAME_SEARCH_MIN} letters, they are one word.
 */
export function nameTerms(name: string): readonly string[] {
  const words = wordsOf(name).toSorted((one, other) => other.length - one.length);
  return [...(words[0] ?? '')].length < NAME_SEARCH_MIN ? [plainName(name)] : words.slice(0, MAX_FURTHER_NAMES);
}

/** `  José  O’Brien ` → `jose o brien`: lower-case letters and digits without accents. */
export function plainName(text: string): string {
  return wordsOf(text).join(' ');
}

/** `Café de olla, ¿no?` → `cafe`, `de`, `olla`, `no`. */
export function wordsOf(text: string): readonly string[] {
  return withoutAccents(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** `Café de olla, ¿no?` → `café`, `de`, `olla`, `no`. */
export function spelledWordsOf(text: string): readonly string[] {
  return text
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => withoutAccents(word) !== '');
}

export function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
