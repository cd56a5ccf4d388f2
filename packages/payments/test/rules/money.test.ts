import { expect, test } from '@jest/globals';
import { centavos, fromPesosText, sum, times, toPesosText } from '@tianguis/payments/rules';
import fc from 'fast-check';
import { amounts } from '../../../../test/support/amounts.js';

test.each([-1, 0.5, 150.01, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1e300])(
  '%d is no amount in centavos',
  (value) => {
    expect(() => centavos(value)).toThrow(RangeError);
    expect(() => centavos(value)).toThrow(`not an amount in centavos: ${value}`);
  },
);

test('a sum of amounts is exact in any order, and 0 without amounts', () => {
  const some = fc.array(fc.integer({ min: 0, max: 1e12 }).map(centavos), { maxLength: 60 });
  fc.assert(
    fc.property(some, (each) => {
      const exact = each.reduce((total, amount) => total + BigInt(amount), 0n);

      expect(BigInt(sum(each))).toBe(exact);
      expect(sum([...each].reverse())).toBe(sum(each));
    }),
    { examples: [[[]]] },
  );
});

test('a sum or a product beyond exact numbers throws a RangeError', () => {
  const largest = centavos(Number.MAX_SAFE_INTEGER);

  expect(() => sum([largest, centavos(1)])).toThrow(RangeError);
  expect(() => times(largest, 2)).toThrow(RangeError);
  expect(() => times(centavos(100), -1)).toThrow(RangeError);
  expect(() => times(centavos(100), 1.005)).toThrow(RangeError);
});

test.each([
  [0, '0.00'],
  [10, '0.10'],
  [115, '1.15'],
  [Number.MAX_SAFE_INTEGER, '90071992547409.91'],
])('%d centavos are written as %s pesos', (amount, text) => {
  expect(toPesosText(centavos(amount))).toBe(text);
});

test('every amount written as pesos is read as the same amount, also with more zeros', () => {
  fc.assert(
    fc.property(
      amounts,
      fc.integer({ min: 0, max: 6 }),
      (amount, zeros) => fromPesosText(toPesosText(amount) + '0'.repeat(zeros)) === amount,
    ),
    { numRuns: 2000 },
  );
});

test('pesos with no or one decimal are read as centavos', () => {
  expect(['150', '150.5', '0'].map(fromPesosText)).toEqual([15_000, 15_050, 0]);
});

test.each([
  ...['', '-1', '+1', '-0', '1e3', '1E3', '0x10', '0b1', 'NaN', 'Infinity', '1_000', '1,000', '1,00', '150.'],
  ...['.50', ' 150', '150 ', '150\n', '150.001', '150.0001', '1.2.3', '١٥٠', '１５０', '150.٠٠', '٫', '$150'],
  ...['90071992547409.92', '90071992547410', '99999999999999', '1'.repeat(400), 'null', 'true'],
])('the text %j is no amount in pesos', (text) => {
  expect(fromPesosText(text)).toBeUndefined();
});
