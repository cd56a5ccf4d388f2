/** What the shop offers to ship one `taza-enviada`. The price of its delivery is `delivery` in `customer.ts`. */
import { test } from '@jest/globals';
import { centavos } from '../../src/payments/rules/money.js';
import { shippingOptions } from '../../src/shop/rules/shipping.js';
import { DEFAULT_TABLE } from '../../src/shop/rules/shipping-table.js';

const options = shippingOptions(
  DEFAULT_TABLE,
  [{ product: { requiresShipping: true }, quantity: 1 }],
  centavos(28_900),
  {
    state: 'OAX',
  },
);

export const hasSeveralOptions = options.length > 1;
export const offersPickup = options.some(({ id }) => id === 'pickup');

/** Skips the test in a shop that offers no pickup. */
export const testWithPickup = offersPickup ? test : test.skip;
