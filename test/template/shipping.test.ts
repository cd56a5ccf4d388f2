/** The shipping prices of the sample shop. */
import { expect, test } from '@jest/globals';
import { centavos } from '../../src/payments/rules/money.js';
import { deliveryPrice, SHIPPING_OPTIONS, shippingOptions } from '../../src/shop/rules/shipping.js';

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

test('the delivery price of one piece is free from a price on, and absent without shipping', () => {
  const priceOf = (price: number, requiresShipping = true) =>
    deliveryPrice({ price: centavos(price), requiresShipping });

  expect(priceOf(149_999)).toEqual({ least: 9900, greatest: 9900, freeFrom: 150_000 });
  expect(priceOf(150_000)).toMatchObject({ least: 0, greatest: 0 });
  expect(priceOf(100, false)).toBeUndefined();
});

test('only the parcel is a delivery, in 3 to 10 business days', () => {
  expect(SHIPPING_OPTIONS).toEqual({
    standard: { kind: 'delivery', days: { min: 3, max: 10 } },
    pickup: { kind: 'pickup' },
    none: { kind: 'none' },
  });
});
