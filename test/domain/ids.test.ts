import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  cardReference,
  ID_BYTES,
  isOrderToken,
  numberInReference,
  ORDER_NUMBER_BYTES,
  ORDER_TOKEN_BYTES,
  orderNumber,
  orderToken,
  readOrderNumber,
  timeOrderedId,
} from '../../src/domain/ids.js';

const NUMBER = /^TG-[A-Z2-9]{4}-[A-Z2-9]{4}$/;
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

describe('an id', () => {
  const at = fc.nat(2 ** 48 - 1);

  test('is a UUID of version 7 that begins with its time', () => {
    fc.assert(
      fc.property(at, bytes(ID_BYTES), (time, random) => {
        const id = timeOrderedId(time, random);

        expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
        expect(Number.parseInt(id.slice(0, 13).replace('-', ''), 16)).toBe(time);
      }),
    );
  });

  test('sorts behind every id of an earlier moment', () => {
    fc.assert(
      fc.property(fc.tuple(at, bytes(ID_BYTES)), fc.tuple(at, bytes(ID_BYTES)), (one, other) => {
        fc.pre(one[0] < other[0]);

        expect(timeOrderedId(...one) < timeOrderedId(...other)).toBe(true);
      }),
    );
  });

  test('is not met twice among thousands of the same moment', () => {
    const ids = Array.from({ length: 5000 }, () => timeOrderedId(1, randomBytes(ID_BYTES)));

    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('an order number', () => {
  test('has one form and no symbol that looks or sounds like another', () => {
    fc.assert(
      fc.property(bytes(ORDER_NUMBER_BYTES), (random) => {
        const number = orderNumber(random);

        expect(number).toMatch(NUMBER);
        expect(number.slice(3)).not.toMatch(/[01OILBVZSGQU]/);
      }),
      { numRuns: 500 },
    );
  });

  test('has its form even when the random bytes are the worst', () => {
    expect(orderNumber(new Uint8Array(ORDER_NUMBER_BYTES).fill(255))).toMatch(NUMBER);
  });

  test('uses every symbol about as often as any other', () => {
    const counts = new Map<string, number>();
    const rounds = 60_000;
    for (let round = 0; round < rounds; round += 1) {
      for (const symbol of orderNumber(randomBytes(ORDER_NUMBER_BYTES)).replace(/^TG|-/g, '')) {
        counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
      }
    }

    const expected = (rounds * 8) / counts.size;
    // Six standard deviations: chance alone never gets there, symbols taken from all 256 bytes do.
    const tolerance = 6 * Math.sqrt(expected);
    expect(counts.size).toBe(24);
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(tolerance);
  });

  test('is not met twice among some thousands', () => {
    const numbers = Array.from({ length: 5000 }, () => orderNumber(randomBytes(ORDER_NUMBER_BYTES)));

    expect(new Set(numbers).size).toBe(numbers.length);
  });
});

describe('an order token', () => {
  test('keeps all 192 random bits and fits an address as it is', () => {
    fc.assert(
      fc.property(bytes(ORDER_TOKEN_BYTES), (random) => {
        const token = orderToken(random);

        expect(isOrderToken(token)).toBe(true);
        expect(encodeURIComponent(token)).toBe(token);
        expect([...Buffer.from(token, 'base64url')]).toEqual([...random]);
      }),
    );
  });

  test.each([
    '',
    'a'.repeat(31),
    'a'.repeat(33),
    `${'a'.repeat(32)}\n`,
    `${'a'.repeat(31)}ñ`,
    `${'a'.repeat(31)}/`,
    `${'a'.repeat(31)}%`,
    `../${'a'.repeat(29)}`,
    'TG-7KMX-2AFR',
  ])('%j has not its form', (text) => {
    expect(isOrderToken(text)).toBe(false);
  });
});

describe('the reference of a card payment', () => {
  test('is the order’s number at first and names the try from the second on', () => {
    expect([1, 2, 13].map((ordinal) => cardReference('TG-7KMX-2AFR', ordinal))).toEqual([
      'TG-7KMX-2AFR',
      'TG-7KMX-2AFR-2',
      'TG-7KMX-2AFR-13',
    ]);
  });

  test('leads back to the order’s number', () => {
    const references = [1, 2, 13].map((ordinal) => cardReference('TG-7KMX-2AFR', ordinal));

    expect(references.map(numberInReference)).toEqual(references.map(() => 'TG-7KMX-2AFR'));
  });
});

describe('an order number as somebody types it', () => {
  test.each(['TG-7KMX-2AFR', 'tg-7kmx-2afr', ' TG 7KMX 2AFR ', 'tg7kmx2afr', 'TG–7KMX–2AFR', '7kmx 2afr'])(
    '%j is read',
    (typed) => {
      expect(readOrderNumber(typed)).toBe('TG-7KMX-2AFR');
    },
  );

  test.each(['', 'TG-7KMX', 'TG-7KMX-2AFRX', 'TG-7KMX-2AF%', 'x'.repeat(10_000)])('%j is none', (typed) => {
    expect(readOrderNumber(typed)).toBeUndefined();
  });
});
