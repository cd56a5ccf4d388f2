/**
 * Characters without a shape: bidirectional marks, zero-width characters, soft hyphens, variation selectors. Phones and word
 * processors add them to copied texts. Without its joiners an emoji of a family becomes one emoji per person.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** What keyboards and word processors write in place of `-`. Not the long dash of Spanish prose. */
const HYPHENS = /[\u2010-\u2013\u2043\u2212\ufe58\ufe63\uff0d]/g;

/** A short dash before an item of a list. As `-`, a spreadsheet would read a formula. */
const BULLET = /^\u2013(?=\s)/gm;

/** The normalization of every text that enters the shop, except passwords: no invisible characters, and plain hyphens. */
export function plainText(text: string): string {
  return text.replace(INVISIBLE, '').replace(BULLET, '—').replace(HYPHENS, '-');
}
