import { expect, test } from '@jest/globals';
import { centavos } from '../../src/payments/rules/money.js';
import { STATE_CODES } from '../../src/shop/rules/contact.js';
import { shippingOptions } from '../../src/shop/rules/shipping.js';

const shipped = { product: { requiresShipping: true } };
const download = { product: { requiresShipping: false } };

test.each([[[download], 28_900] as const, [[], 0] as const])(
  'a cart of %j has nothing to ship, at no price and without an address',
  (lines, goods) => {
    expect(shippingOptions(lines, centavos(goods))).toEqual([{ id: 'none', price: 0, kind: 'none' }]);
  },
);

test('a cart with a product to ship has different options to ship it, each at a price in whole centavos', () => {
  for (const lines of [[shipped], [download, shipped]])
    for (const state of [undefined, ...STATE_CODES])
      for (const goods of [100, 28_900, 1_500_000, 10_000_000]) {
        const options = shippingOptions(lines, centavos(goods), state);

        expect(options.length).toBeGreaterThan(0);
        expect(new Set(options.map(({ id }) => id)).size).toBe(options.length);
        for (const { id, kind, price } of options)
          expect([id, kind !== 'none' && Number.isSafeInteger(price) && price >= 0]).toEqual([id, true]);
      }
});
