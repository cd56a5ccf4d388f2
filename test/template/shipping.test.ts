/** The shipping prices of the sample shop. */
import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { STATE_CODES } from '../../src/shop/rules/contact.js';
import { DEFAULT_TABLE } from '../../src/shop/rules/default-table.js';
import { shippingOptions } from '../../src/shop/rules/shipping.js';

const shipped = { product: { requiresShipping: true, weight: null }, quantity: 1 };
const download = { product: { requiresShipping: false, weight: null }, quantity: 1 };
const FREE = { price: 0, greatest: 0 };

test.each([
  [100, 9_900],
  [149_999, 9_900],
  [150_000, 0],
])('without a stored table, %i centavos of products are delivered to each state for %i', (goods, price) => {
  for (const state of [undefined, ...STATE_CODES])
    expect(shippingOptions(DEFAULT_TABLE, [download, shipped], centavos(goods), { state })).toEqual([
      { id: 'standard', kind: 'delivery', price, greatest: price, days: { min: 3, max: 10 } },
      { id: 'pickup', kind: 'pickup', ...FREE },
    ]);
});
