import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import fc from 'fast-check';
import { freezeLines, MAX_LINES, MAX_QUANTITY, priceCart, readQuantity } from '../../src/shop/rules/cart.js';
import { textIn } from '../../src/shop/rules/locale.js';
import { LOCALES } from '../../src/shop/rules/locales.js';
import { testProducts } from '../support/catalog.js';

const products = testProducts();
const quantity = fc.integer({ min: 1, max: MAX_QUANTITY });
const carts = fc
  .uniqueArray(fc.record({ product: fc.constantFrom(...products), quantity }), {
    selector: ({ product }) => product.id,
    maxLength: MAX_LINES,
  })
  .map((lines) => lines.map((line) => ({ ...line, productId: line.product.id, seenPrice: centavos(100), left: null })));

test.each<unknown>([
  ...['-1', '0.1', '1e3', '0x10', ' 5', '5 ', '+5', '٥', '５', '5;5', '', '100', '2147483648'],
  ...['5\n', '1.0', 'five', '\u00005', '000', '1'.repeat(100)],
  ...[5, 0, null, undefined, true, ['5'], ['5', '5'], { value: '5' }, 5n],
])('the quantity %o is refused', (raw) => {
  expect([readQuantity(raw, 0), readQuantity(raw, 1)]).toEqual([undefined, undefined]);
});

test('a quantity from 1 to 99 is read, and zero only where it removes a line', () => {
  expect(['1', '05', '99'].map((raw) => readQuantity(raw, 1))).toEqual([1, 5, 99]);
  expect([readQuantity('0', 0), readQuantity('0', 1)]).toEqual([0, undefined]);
});

test('the total of a cart is the exact sum of its lines, each price times quantity', () => {
  fc.assert(
    fc.property(carts, (lines) => {
      const priced = priceCart({ lines });

      const total = priced.lines.reduce((all, line) => all + BigInt(line.unitPrice) * BigInt(line.quantity), 0n);
      expect(BigInt(priced.total)).toBe(total);
      expect(priced.lines.every((line) => line.lineTotal === line.unitPrice * line.quantity)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('the frozen lines of an order have the cart’s total, products and names in each locale', () => {
  fc.assert(
    fc.property(carts, fc.constantFrom(...LOCALES), (lines, locale) => {
      const priced = priceCart({ lines });

      const frozen = freezeLines(priced, locale, []);

      const names = lines.map(({ product }) => textIn(product.name, locale));
      expect(frozen.reduce((all, line) => all + line.unitPrice * line.quantity, 0)).toBe(priced.total);
      expect(frozen.map(({ name }) => name)).toEqual(names);
      expect(frozen.map(({ productId, quantity: count, taxRate }) => [productId, count, taxRate])).toEqual(
        lines.map((line) => [line.productId, line.quantity, line.product.taxRate]),
      );
    }),
  );
});

test('the largest cart of the most expensive products is below the gateway’s maximum', () => {
  const expensive = [...products].sort((a, b) => b.price - a.price).slice(0, MAX_LINES);
  const lines = expensive.map((product) => ({
    ...{ productId: product.id, product },
    ...{ quantity: MAX_QUANTITY, seenPrice: product.price, left: null },
  }));

  expect(priceCart({ lines }).total).toBeLessThanOrEqual(1_500_000_000);
});
