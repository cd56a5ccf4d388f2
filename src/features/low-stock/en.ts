import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  nothingOnSale: 'Products for sale',
  nothingOnSaleHint: 'Your shop has nothing for sale yet.',
  addProducts: 'Add products',
  soldOut: 'Sold-out products',
  soldOutHint: 'They are for sale but out of stock.',
  low: 'Products low in stock',
  lowHint: '{{count}} or fewer left.',
  lowOf: '{{name}}: {{stock}}',
  reserved: 'Products with half or more of their pieces reserved',
  reservedHint:
    'For orders that are not paid yet. If they do not look like customers, release the pieces on the product page.',
  reservedOf: '{{name}}: {{pieces}} of {{stock}}',
};
