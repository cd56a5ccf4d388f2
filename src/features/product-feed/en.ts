import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  link: 'Product feed for Google and Meta (XML), without IDs longer than {{limit}} characters',
};
