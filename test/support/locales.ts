/** English in tests, also in a shop that removed it. */
import { LOCALES } from '../../src/shop/rules/locales.js';

const english = LOCALES.find((locale) => locale.startsWith('en'));

/** `en`, or the first locale in a shop without it. */
export const EN = english ?? LOCALES[0];

/** Whether the shop has the locale that begins a row of a table. */
export const isOffered = <Row extends readonly unknown[]>([locale]: Row): boolean =>
  LOCALES.some((each) => each === locale);

/** Returns texts or fields in English, or none in a shop without it. */
export const inEnglish = <T extends object>(texts: T): Partial<T> => (english ? texts : {});
