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

export function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
