import { centavos } from '@tianguis/payments/rules';
import fc from 'fast-check';

/** All amounts, more often small ones and the largest ones. */
export const amounts = fc
  .oneof(
    fc.integer({ min: 0, max: 10_000_000 }),
    fc.maxSafeNat(),
    fc.integer({ min: 0, max: 1000 }).map((below) => Number.MAX_SAFE_INTEGER - below),
  )
  .map(centavos);
