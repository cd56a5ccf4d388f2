/** The shipping prices of the sample shop. */
import { expect, test } from '@jest/globals';
import { centavos } from '../../src/domain/money.js';
import { needsAddress, shippingOptions } from '../../src/domain/shipping.js';

const shipped = { product: { requiresShipping: true } };
const download = { product: { requiresShipping: false } };

test.each([
  [[shipped], 100, { standard: 9900, pickup: 0 }],
  [[shipped], 149_999, { standard: 9900, pickup: 0 }],
  [[shipped], 150_000, { standard: 0, pickup: 0 }],
  [[download, shipped], 28_900, { standard: 9900, pickup: 0 }],
])('a cart of %j for %i centavos has the shipping options %j', (lines, goods, options) => {
  const found = shippingOptions(lines, centavos(goods));

  expect(Object.fromEntries(found.map(({ id, price }) => [id, price]))).toEqual(options);
});

test('only a shipping option that delivers needs an address', () => {
  expect((['standard', 'pickup', 'none'] as const).map(needsAddress)).toEqual([true, false, false]);
});
