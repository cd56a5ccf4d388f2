import { expect, test } from '@jest/globals';
import { centavos, times } from '@tianguis/payments/rules';
import fc from 'fast-check';
import { TAX_RATES } from '../../src/shop/rules/product.js';
import { taxOf, taxTotals } from '../../src/shop/rules/tax.js';
import { amounts } from '../support/amounts.js';

const rates = fc.constantFrom(...TAX_RATES);
const percentOf = (rate: string) => (rate === 'exempt' ? 0n : BigInt(rate));

test('base and IVA of every price at every rate sum to the price, and the base is rounded to the nearest centavo', () => {
  fc.assert(
    fc.property(amounts, rates, (price, rate) => {
      const { base, tax } = taxOf(price, rate);

      const divisor = 100n + percentOf(rate);
      const error = BigInt(base) * divisor - BigInt(price) * 100n;
      expect(base + tax).toBe(price);
      expect(2n * (error < 0n ? -error : error)).toBeLessThanOrEqual(divisor);
    }),
    { numRuns: 2000 },
  );
});

test('base and IVA of all lines of an order sum to its total', () => {
  const line = fc.record({
    unitPrice: fc.integer({ min: 0, max: 1e9 }).map(centavos),
    quantity: fc.integer({ min: 1, max: 99 }),
    taxRate: rates,
    discount: fc.constant(centavos(0)),
  });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 51 }), (lines) => {
      const { base, tax } = taxTotals(lines);

      expect(base + tax).toBe(lines.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0));
    }),
  );
});

test.each([
  [28_900, '16', 24_914, 3_986],
  [10_800, '8', 10_000, 800],
  [21_850, '0', 21_850, 0],
  [21_850, 'exempt', 21_850, 0],
  [4, '16', 3, 1],
] as const)('%d centavos at the rate %s have the base %d and the IVA %d', (price, rate, base, tax) => {
  expect(taxOf(centavos(price), rate)).toEqual({ base, tax });
});

test('a line is rounded once for all its pieces', () => {
  const line = { unitPrice: centavos(4), quantity: 25, taxRate: '16', discount: centavos(0) } as const;

  expect(taxTotals([line])).toEqual(taxOf(times(line.unitPrice, line.quantity), '16'));
  expect(taxTotals([line]).tax).toBe(14);
});
