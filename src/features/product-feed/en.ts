import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  link: 'Product feed for Google and Meta (XML), without IDs longer than {{limit}} characters, SVG pictures and shipping prices by state. Enter these prices in Google Merchant Center.',
  noIdentifiers: 'My products have no barcode (GTIN) and no part number, such as handmade ones',
  noIdentifiersHint: 'The feed states this for each product. Without it, Google shows them less.',
};
