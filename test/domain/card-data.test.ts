import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { holdsCardNumber, maskCardNumbers, passesLuhn, readCardTokens } from '../../src/domain/card-data.js';

/** 13 to 19 digits with a right check digit. */
const cardNumbers = fc
  .integer({ min: 12, max: 18 })
  .chain((length) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }))
  .map((digits) => {
    const payload = digits.join('');
    return [...'0123456789'].map((check) => payload + check).find(passesLuhn) ?? '';
  });

const SEPARATORS = [
  '',
  ' ',
  '-',
  '.',
  '/',
  '  ',
  ' - ',
  '\t',
  '\n',
  '\u00a0',
  '\u2009',
  '\u2010',
  '\u2011',
  '–',
  '—',
  '\u200b',
  '\u00ad',
];
const groupings = fc.constantFrom([4], [4, 6, 5], [4, 4, 4, 1], [1], [19], [6, 7], [5]);

function group(digits: string, sizes: readonly number[], separator: string): string {
  const groups: string[] = [];
  for (let at = 0, turn = 0; at < digits.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 4;
    groups.push(digits.slice(at, at + size));
    at += size;
  }
  return groups.join(separator);
}

const tokens = () => ({
  card_number: '5017-3321-0098-4410',
  cardholder_name: randomUUID(),
  cvv: randomUUID(),
  expiration_month: randomUUID(),
  expiration_year: randomUUID(),
});

describe('the check digit', () => {
  test.each([
    '4111111111111111',
    '4000000000000077',
    '378282246310005',
    '5555555555554444',
    '4222222222222',
    '0',
  ])('%s passes', (digits) => {
    expect(passesLuhn(digits)).toBe(true);
  });

  test('any one wrong digit is noticed', () => {
    fc.assert(
      fc.property(cardNumbers, fc.nat(12), fc.integer({ min: 1, max: 9 }), (number, at, by) => {
        const wrong = number.slice(0, at) + ((Number(number[at]) + by) % 10) + number.slice(at + 1);

        expect(passesLuhn(wrong)).toBe(false);
      }),
    );
  });
});

describe('looking for card numbers', () => {
  test('every one is found in every usual grouping, wherever it stands', () => {
    const around = fc.constantFrom('', 'tarjeta ', 'Visa', 'a', '+', '("', 'ñ');
    const typed = fc
      .tuple(cardNumbers, groupings, fc.constantFrom(...SEPARATORS))
      .map(([number, sizes, separator]) => group(number, sizes, separator));
    fc.assert(
      fc.property(fc.tuple(around, typed, around), (pieces) => {
        expect(holdsCardNumber(pieces.join(''))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test.each(['４１１１１１１１１１１１１１１１', '４１１１ １１１１ １１１１ １１１１', '𝟒𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏'])(
    'digits in fancy dress are digits: %s',
    (text) => {
      expect(holdsCardNumber(text)).toBe(true);
    },
  );

  test('one is found behind more digits, however many', () => {
    expect(holdsCardNumber(`12 4111111111111111 99`)).toBe(true);
    expect(holdsCardNumber(`${'1'.repeat(100)}4111111111111111`)).toBe(true);
    expect(holdsCardNumber(`${'1'.repeat(5000)}4111111111111111`)).toBe(true);
  });

  test.each([
    '',
    'Eva Ruiz',
    '+52 55 1234 5678',
    '00 52 1 55 123',
    'Calle 12 No. 345, C.P. 06700',
    '2026-11-21',
    '2026-11-21T10:15',
    '411111111111',
    '1111111111111111',
    'TG-7KMX-2AFR',
    'eva.ruiz+1987@example.com',
  ])('%j holds none', (text) => {
    expect(holdsCardNumber(text)).toBe(false);
  });

  test('names of things that are half digits by chance are not taken for one', () => {
    const names = Array.from({ length: 5000 }, () => [
      `/checkout/return/x?session_id=cs_11_${randomInt(100_000, 900_000_000)}_${randomBytes(24).toString('hex')}`,
      randomUUID(),
      randomBytes(32).toString('hex').toUpperCase(),
    ]).flat();
    // Without a single letter it is a number, whatever it was meant to be.
    const mixed = names.filter((name) => /[a-f]/i.test(name.slice(-48)));

    expect(mixed.filter(holdsCardNumber)).toEqual([]);
    expect(mixed.filter((name) => maskCardNumbers(name) !== name)).toEqual([]);
  });

  test('one beside such a name is found all the same', () => {
    expect(holdsCardNumber(`${randomUUID()} 4111 1111 1111 1111`)).toBe(true);
    expect(holdsCardNumber(`4111111111111111?session_id=cs_1_2_${'ab'.repeat(24)}`)).toBe(true);
    expect(holdsCardNumber('00000000-0000-4000-8000-411111111111-1111')).toBe(true);
  });

  test.each([
    ['digits', '1'],
    ['digits and hyphens', '1-'],
    ['digits far apart', '1----'],
    ['short runs', '123456789012 x'],
    ['hexadecimal', 'a1'],
    ['broken UUIDs', '12345678-1234-'],
    ['separators', ' - '],
  ])('the work stays in proportion to a long text of %s', (_of, piece) => {
    const started = performance.now();

    holdsCardNumber(piece.repeat(200_000 / piece.length));
    maskCardNumbers(piece.repeat(200_000 / piece.length));

    // A few milliseconds; with work that grows by the square it takes minutes.
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('blotting out', () => {
  test('no run of 13 digits is left, whether or not it could be a card', () => {
    const digits = fc.stringMatching(/^[0-9]{13,60}$/);
    fc.assert(
      fc.property(digits, groupings, fc.constantFrom(...SEPARATORS), (run, sizes, separator) => {
        const blotted = maskCardNumbers(`a ${group(run, sizes, separator)} z`);

        expect(blotted).toBe('a [digits] z');
      }),
      { numRuns: 1000 },
    );
  });
});

describe('card tokens among posted fields', () => {
  test('the vault’s five tokens are accepted, and nothing beside them is kept', () => {
    const card = tokens();

    expect(readCardTokens({ ...card, first_name: 'Eva', extra: '4111111111111111' })).toEqual(card);
    expect(readCardTokens({ ...card, cvv: card.cvv.toUpperCase() })).toBeDefined();
  });

  test('a card number typed with hyphens is refused with the security code that was typed with it', () => {
    const typed = {
      card_number: '4111-1111-1111-1111',
      cardholder_name: 'Eva Ruiz',
      cvv: '123',
      expiration_month: '12',
      expiration_year: '30',
    };

    expect(readCardTokens(typed)).toBeUndefined();
    expect(holdsCardNumber(typed.card_number)).toBe(true);
    for (const field of ['cardholder_name', 'cvv', 'expiration_month', 'expiration_year'] as const) {
      expect(readCardTokens({ ...tokens(), [field]: typed[field] })).toBeUndefined();
    }
  });

  test.each<unknown>([
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-111',
    '5017-3321-0098-4410\n',
    '５017-3321-0098-4410',
    '',
    undefined,
    5,
    ['5017-3321-0098-4410'],
  ])('%p is no token of a card number', (card_number) => {
    expect(readCardTokens({ ...tokens(), card_number })).toBeUndefined();
  });

  test.each(['card_number', 'cardholder_name', 'cvv', 'expiration_month', 'expiration_year'])(
    'without %s there is no card',
    (field) => {
      const rest = Object.fromEntries(Object.entries(tokens()).filter(([name]) => name !== field));

      expect(readCardTokens(rest)).toBeUndefined();
      expect(readCardTokens({ ...tokens(), [field]: [randomUUID()] })).toBeUndefined();
    },
  );
});
