import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { holdsCardNumber, maskCardNumbers, passesLuhn, readCardTokens } from '@tianguis/payments/rules';
import fc from 'fast-check';
import { seededRandom } from '../../../../test/support/seeded-random.js';

/** 13 to 19 digits with a valid check digit. */
const cardNumbers = fc
  .integer({ min: 12, max: 18 })
  .chain((length) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }))
  .map((digits) => {
    const payload = digits.join('');
    return [...'0123456789'].map((check) => payload + check).find(passesLuhn) ?? '';
  });

const separators = fc.constantFrom(
  ...['', ' ', '-', '.', '/', '  ', ' - ', '\t', '\n', '–', '—', '|', ' · '],
  ...['\u00a0', '\u2009', '\u2010', '\u2011', '\u200b', '\u00ad'],
);
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

/** The tokens of a card, with this number token. */
const tokensWith = (card_number: unknown) => ({
  card_number,
  cardholder_name: randomUUID(),
  cvv: randomUUID(),
  expiration_month: randomUUID(),
  expiration_year: randomUUID(),
});

test('a number token has 12 to 19 digits in blocks of four, and may have a valid check digit', () => {
  const digits = fc.oneof(fc.stringMatching(/^[0-9]{12,19}$/), cardNumbers);
  fc.assert(
    fc.property(digits, (each) => {
      const tokens = tokensWith(group(each, [4], '-'));
      expect(readCardTokens(tokens)).toEqual(tokens);
    }),
  );
});

test.each([
  ...['411111111111', '4111-1111-111', '4111-1111-1111-1111-1111', '4111-1111-1111-', '3782-822463-10005'],
  ...['4111-1111-11-1111', '4111 1111 1111 1111', ' 4111-1111-1111', '378282246310005', '', undefined],
])('%j is no number token', (text) => {
  expect(readCardTokens(tokensWith(text))).toBeUndefined();
});

test('a number in the form of a token is no token beside typed card data', () => {
  const tokens = tokensWith('3782-8224-6310-005');

  expect(readCardTokens({ ...tokens, cvv: '1234' })).toBeUndefined();
  expect(readCardTokens({ card_number: tokens.card_number })).toBeUndefined();
});

test('a card number is found in every grouping and between any text', () => {
  const around = fc.constantFrom('', 'tarjeta ', 'Visa', 'a', '+', '("', 'ñ');
  const typed = fc
    .tuple(cardNumbers, groupings, separators)
    .map(([number, sizes, separator]) => group(number, sizes, separator));
  fc.assert(
    fc.property(fc.tuple(around, typed, around), (pieces) => {
      expect(holdsCardNumber(pieces.join(''))).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ...['٤١١١ ١١١١ ١١١١ ١١١١', '४१११११११११११११११', '4111,1111,1111,1111', '4111·1111·1111·1111', '4111−1111−1111−1111'],
  ...[`4${'\u200b'.repeat(9)}111111111111111`, '4111\ufe0f1111\ufe0f1111\ufe0f1111'],
  ...['４１１１ １１１１ １１１１ １１１１', '𝟒𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏', '12 4111111111111111 99'],
  ...[
    '4111_1111_1111_1111',
    '4111:1111:1111:1111',
    'No. 4111*1111*1111*1111.',
    '3782_822463_10005',
    '3782#8224#6310#005',
  ],
  ...['6304+0000+0000+0000+000', '4111;1111;1111;1111', '4111=1111=1111=1111', '4111~1111~1111~1111'],
  `${'1'.repeat(100)}4111111111111111`,
  `4111111111111111?session_id=cs_1_2_${'ab'.repeat(24)}`,
  '12345678-0000-4000-8000-000000000000 4111 1111 1111 1111',
  '00000000-0000-4000-8000-411111111111-1111',
])('the text %j holds a card number', (text) => {
  expect(holdsCardNumber(text)).toBe(true);
});

test.each([
  ...['', 'Eva Ruiz', '+52 55 1234 5678', '00 52 1 55 123', 'Calle 12 No. 345, C.P. 06700'],
  ...['Años 2020, 2021, 2022, 2023', '10 x 20 x 30 cm, 1,250.00'],
  ...[
    'L-V 09:00-14:00 16:00-18:02',
    'cs_11_4111111111_1111',
    '4111_1111:1111_1111',
    'a_4111_1111_1111',
    '1111_1111_1111_1111',
  ],
  ...['2026-11-21T10:15', '411111111111', '1111111111111111', 'TG-7KMX-2AFR', 'eva.ruiz+1987@example.com'],
])('the text %j holds no card number', (text) => {
  expect(holdsCardNumber(text)).toBe(false);
});

test('session ids, UUIDs and hexadecimal hashes are not taken for card numbers', () => {
  const random = seededRandom('names');
  const hex = (bytes: number) => random(bytes).toString('hex');
  const names = Array.from({ length: 2000 }, () => [
    `/checkout/return/x?session_id=cs_11_${random(4).readUInt32BE()}_${hex(24)}`,
    [hex(4), hex(2), hex(2), hex(2), hex(6)].join('-'),
    hex(32).toUpperCase(),
  ]).flat();
  // A name without letters is a number.
  const mixed = names.filter((name) => /[a-f]/i.test(name.slice(-48)));

  expect(mixed.filter(holdsCardNumber)).toEqual([]);
  expect(mixed.filter((name) => maskCardNumbers(name) !== name)).toEqual([]);
});

test.each(['1', '1-', '1----', '123456789012 x', 'a1', '12345678-1234-', ' - '])(
  'the search in 200 kB of %j takes linear time',
  (piece) => {
    const before = process.cpuUsage();

    holdsCardNumber(piece.repeat(200_000 / piece.length));
    maskCardNumbers(piece.repeat(200_000 / piece.length));

    // A few milliseconds. Quadratic time would be minutes.
    expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
  },
);

test.each(['4111_1111_1111_1111', '4111:1111:1111:1112', '3782*822463*10005'])(
  'the digits of %s are masked',
  (typed) => {
    expect(maskCardNumbers(`a ${typed} z`)).toBe('a [digits] z');
  },
);

test('number tokens of every length are masked', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{12,19}$/), (digits) => {
      expect(maskCardNumbers(`a ${group(digits, [4], '-')} z`)).toBe('a [digits] z');
    }),
  );
});

test('each run of 13 or more digits is masked in every grouping', () => {
  const digits = fc.stringMatching(/^[0-9]{13,60}$/);
  fc.assert(
    fc.property(digits, groupings, separators, (run, sizes, separator) => {
      expect(maskCardNumbers(`a ${group(run, sizes, separator)} z`)).toBe('a [digits] z');
    }),
    { numRuns: 500 },
  );
});
