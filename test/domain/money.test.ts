import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { centavos, fromPesosText, sum, times, toPesosText } from '../../src/domain/money.js';

const anyAmount = fc
  .oneof(
    fc.integer({ min: 0, max: 10_000_000 }),
    fc.maxSafeNat(),
    fc.integer({ min: 0, max: 1000 }).map((below) => Number.MAX_SAFE_INTEGER - below),
  )
  .map(centavos);

describe('money in centavos', () => {
  test.each([0, 1, 99, 100, 15_000, Number.MAX_SAFE_INTEGER])('%d is an amount', (value) => {
    expect(centavos(value)).toBe(value);
  });

  test.each([-1, 0.5, 150.01, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1e300])(
    '%d is no amount',
    (value) => {
      expect(() => centavos(value)).toThrow(RangeError);
      expect(() => centavos(value)).toThrow(`not an amount in centavos: ${value}`);
    },
  );

  test('nothing adds up to nothing', () => {
    expect(sum([])).toBe(0);
  });

  test.each([
    [15_000, 3, 45_000],
    [15_000, 1, 15_000],
    [15_000, 0, 0],
    [1, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ])('%d centavos times %d are %d', (unit, quantity, product) => {
    expect(times(centavos(unit), quantity)).toBe(product);
  });

  test('a sum is exact in any order', () => {
    const some = fc.array(fc.integer({ min: 0, max: 1e12 }).map(centavos), { maxLength: 60 });
    fc.assert(
      fc.property(some, (amounts) => {
        const exact = amounts.reduce((total, amount) => total + BigInt(amount), 0n);

        expect(BigInt(sum(amounts))).toBe(exact);
        expect(sum([...amounts].reverse())).toBe(sum(amounts));
      }),
    );
  });

  test('a sum or a product beyond exact numbers is refused instead of rounded', () => {
    const most = centavos(Number.MAX_SAFE_INTEGER);

    expect(() => sum([most, centavos(1)])).toThrow(RangeError);
    expect(() => times(most, 2)).toThrow(RangeError);
    expect(() => times(centavos(100), -1)).toThrow(RangeError);
    expect(() => times(centavos(100), 1.005)).toThrow(RangeError);
  });
});

describe('pesos as text', () => {
  test.each([
    [0, '0.00'],
    [1, '0.01'],
    [10, '0.10'],
    [115, '1.15'],
    [15_000, '150.00'],
    [Number.MAX_SAFE_INTEGER, '90071992547409.91'],
  ])('%d centavos are written %s', (amount, text) => {
    expect(toPesosText(centavos(amount))).toBe(text);
  });

  test('every exact amount comes back as it was, however large', () => {
    fc.assert(
      fc.property(anyAmount, (amount) => fromPesosText(toPesosText(amount)) === amount),
      {
        numRuns: 2000,
      },
    );
  });

  test('zeros after the decimals change nothing', () => {
    const zeros = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(
        anyAmount,
        zeros,
        (amount, count) => fromPesosText(toPesosText(amount) + '0'.repeat(count)) === amount,
      ),
    );
  });

  test.each([
    ['150', 15_000],
    ['150.0', 15_000],
    ['150.5', 15_050],
    ['150.0000', 15_000],
    ['0.01', 1],
    ['0', 0],
  ])('%s is read', (text, amount) => {
    expect(fromPesosText(text)).toBe(amount);
  });

  test.each(
    [
      [
        '',
        '-1',
        '+1',
        '-0',
        '1e3',
        '1E3',
        '0x10',
        '0b1',
        'NaN',
        'Infinity',
        '1_000',
        '1,000',
        '1,00',
        '150.',
      ],
      [
        '.50',
        ' 150',
        '150 ',
        '150\n',
        '150.001',
        '150.0001',
        '1.2.3',
        '١٥٠',
        '１５０',
        '150.٠٠',
        '٫',
        '$150',
      ],
      ['90071992547409.92', '90071992547410', '99999999999999', '1'.repeat(400), 'null', 'true'],
    ].flat(),
  )('%j is not an exact amount', (text) => {
    expect(fromPesosText(text)).toBeUndefined();
  });

  test('a third decimal is never rounded away', () => {
    const thirds = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(anyAmount, thirds, (amount, digit) => {
        expect(fromPesosText(`${toPesosText(amount)}${digit}`)).toBeUndefined();
      }),
    );
  });

  test('a text of any kind is an exact amount or nothing', () => {
    const texts = fc.oneof(
      fc.uint16Array().map((units) => String.fromCharCode(...units)),
      fc.double().map(String),
      fc.stringMatching(/^[0-9.eE+-]{1,20}$/),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const amount = fromPesosText(text);

        if (amount !== undefined) expect(toPesosText(amount)).toBe(normalForm(text));
      }),
      { numRuns: 2000 },
    );
  });
});

/** The same decimal number, written with two decimals and without leading zeros, by text alone. */
function normalForm(text: string): string {
  const [whole = '', fraction = ''] = text.split('.');
  return `${whole.replace(/^0+(?=\d)/, '')}.${fraction.padEnd(2, '0').replace(/(?<=^\d{2})0+$/, '')}`;
}
