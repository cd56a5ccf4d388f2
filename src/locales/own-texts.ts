import type { Locale } from '../shop/rules/locale.js';
import type { OwnTexts } from './message-keys.js';

/** The merchant's own messages, in place of the template's: `{ 'es-MX': { 'titles.cart': 'Tu bolsa' } }`. */
export const ownTexts: Readonly<Partial<Record<Locale, OwnTexts>>> = {};
