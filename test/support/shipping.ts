import { test } from '@jest/globals';
import { centavos } from '../../src/domain/money.js';
import { shippingOptions } from '../../src/domain/shipping.js';

const options = shippingOptions([{ product: { requiresShipping: true } }], centavos(28_900));
export const offersPickup = options.some(({ id }) => id === 'pickup');

/** Skips the test in a shop that offers no pickup. */
export const testWithPickup = offersPickup ? test : test.skip;
