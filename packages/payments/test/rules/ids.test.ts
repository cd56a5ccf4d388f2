import { expect, test } from '@jest/globals';
import { newPayment } from '@tianguis/payments';
import { centavos } from '@tianguis/payments/rules';
import fc from 'fast-check';
import {
  attemptReference,
  ID_BYTES,
  isOrderToken,
  numberInReference,
  ORDER_NUMBER_BYTES,
  ORDER_TOKEN_BYTES,
  orderNumber,
  orderNumberProblem,
  orderToken,
  readOrderNumber,
  timeOrderedId,
} from '../../src/rules/ids.js';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

test('an id is a UUID of version 7 that begins with its time', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 48 - 1), bytes(ID_BYTES), (time, random) => {
      const id = timeOrderedId(time, random);

      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      expect(Number.parseInt(id.slice(0, 13).replace('-', ''), 16)).toBe(time);
    }),
  );
});

test('an order number has no symbol that looks or sounds like another', () => {
  const worst = new Uint8Array(ORDER_NUMBER_BYTES).fill(255);
  fc.assert(
    fc.property(bytes(ORDER_NUMBER_BYTES), (random) => {
      const number = orderNumber('TG', random);

      expect(number).toMatch(/^TG-[A-Z2-9]{4}-[A-Z2-9]{4}$/);
      expect(number.slice(3)).not.toMatch(/[01OILBVZSGQU]/);
    }),
    { numRuns: 500, examples: [[worst]] },
  );
});

test('an order token keeps 191 random bits, needs no URL encoding, and ends with a letter or digit', () => {
  fc.assert(
    fc.property(bytes(ORDER_TOKEN_BYTES), (random) => {
      const token = orderToken(random);

      expect(isOrderToken(token)).toBe(true);
      expect(token).toMatch(/^[\w-]+[A-Za-z0-9]$/);
      expect(token.slice(0, -1)).toBe(Buffer.from(random).toString('base64url').slice(0, -1));
    }),
    { examples: [[new Uint8Array(ORDER_TOKEN_BYTES).fill(0xff)], [new Uint8Array(ORDER_TOKEN_BYTES).fill(0xfe)]] },
  );
});

test('each card payment of an order has its own reference, which contains the order number', () => {
  const references = [1, 2, 13].map((ordinal) => attemptReference('TG-7KMX-2AFR', ordinal));

  expect(references).toEqual(['TG-7KMX-2AFR', 'TG-7KMX-2AFR-2', 'TG-7KMX-2AFR-13']);
  expect(references.map(numberInReference)).toEqual(references.map(() => 'TG-7KMX-2AFR'));
});

test.each(['A-1-2', 'A-1', 'A-1000-999', 'TG-7KMX-2', '', 'A1', 'Á-12345', 'A 1234', 'A'.repeat(41)])(
  'the number %j is refused: it has no usable form, or it could be the reference of another order',
  (number) => {
    expect(orderNumberProblem(number)).toEqual(expect.any(String));
    expect(() => newPayment({ number, total: centavos(100), payableUntil: 2, at: 1 })).toThrow(RangeError);
  },
);

test('no reference of an attempt is the number of another order, or a reference of it', () => {
  const numbers = fc.stringMatching(/^[A-C][A-C1-2-]{2,8}$/).filter((text) => orderNumberProblem(text) === undefined);
  const ordinals = fc.integer({ min: 1, max: 999 });
  fc.assert(
    fc.property(numbers, numbers, ordinals, ordinals, (number, other, first, second) => {
      fc.pre(number !== other);

      expect(attemptReference(number, first)).not.toBe(attemptReference(other, second));
    }),
    { numRuns: 500 },
  );
});

test('an order number is read in any spelling, and any other text is invalid', () => {
  const typed = ['TG-7KMX-2AFR', 'tg-7kmx-2afr', ' TG 7KMX 2AFR ', 'tg7kmx2afr', 'TG–7KMX–2AFR', '7kmx 2afr'];
  const invalid = ['', 'TG-7KMX', 'TG-7KMX-2AFRX', 'TG-7KMX-2AF%', 'x'.repeat(100)];
  const read = (text: string) => readOrderNumber(text, 'TG');

  expect(typed.map(read)).toEqual(typed.map(() => 'TG-7KMX-2AFR'));
  expect(invalid.map(read)).toEqual(invalid.map(() => undefined));
});

test('the reference of an attempt is read as the number of its order', () => {
  const typed = ['TG-7KMX-2AFR-2', ' tg-7kmx-2afr-13 ', 'TG–7KMX–2AFR–2'];
  const invalid = ['TG-7KMX-2AFR-X', 'TG-7KMX-2AFR-2000', 'TG-7KMX-2AFR-2-2'];
  const read = (text: string) => readOrderNumber(text, 'TG');

  expect(typed.map(read)).toEqual(typed.map(() => 'TG-7KMX-2AFR'));
  expect(invalid.map(read)).toEqual(invalid.map(() => undefined));
});

test('a typed order number with an earlier prefix keeps it, and a name of ten letters is none', () => {
  expect(readOrderNumber('kb-7kmx-2afr', 'TG')).toBe('KB-7KMX-2AFR');
  expect(readOrderNumber('Concepcion', 'TG')).toBeUndefined();
});
