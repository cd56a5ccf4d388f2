import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  ADDRESS_FIELD_NAMES,
  EMAIL_LIMIT,
  firstDayOf,
  isPostalCodeOf,
  NAME_LIMIT,
  PERSON_FIELD_NAMES,
  readContact,
  STATE_CODES,
} from '../../src/shop/rules/contact.js';
import { readField } from '../../src/shop/rules/form-field.js';
import { numbers } from '../support/crowd.js';
import { address, contact } from '../support/customer.js';

const eva = { ...contact, first_name: 'Eva', last_name: 'Ruiz', email: 'eva@example.com' };

/** Returns the accepted first name, or the problems. */
function readName(first_name: unknown) {
  const reading = readContact({ ...eva, first_name }, PERSON_FIELD_NAMES);
  return reading.ok ? reading.contact.firstName : reading.problems;
}

/** Returns the accepted e-mail address, or the problems. */
function readEmail(email: unknown) {
  const reading = readContact({ ...eva, email }, PERSON_FIELD_NAMES);
  return reading.ok ? reading.contact.email : reading.problems;
}

/** Returns an address of this length whose local part and labels are within their own limits. */
const emailOfLength = (length: number) => {
  const domain = `${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(59)}.mx`;
  return `${'a'.repeat(length - domain.length - 1)}@${domain}`;
};

test.each([
  ...['X', 'Ñandú Güemes', 'O’Brien-Smith, Jr.', "D'Angelo", 'محمد بن سلمان', '王小明', 'Владимир', 'अनुष्का'],
  ...['𝕏', 'Eva 👩👩👧', "Robert'); DROP TABLE orders;--", '<script>alert(1)</script>'],
  'n'.repeat(NAME_LIMIT),
])('the name %j is stored unchanged', (name) => {
  expect(readName(name)).toBe(name.normalize('NFC'));
});

test.each([
  ['cafe\u0301', 'café'],
  ['  Eva  ', 'Eva'],
  ['Eva\u00a0\u2003 Ruiz', 'Eva Ruiz'],
  ['Eva\n', 'Eva'],
  ['\ufeffEva', 'Eva'],
  ['Eva\ufeff \u2067evil\u202e', 'Eva evil'],
  ['Jo\u200cão', 'João'],
  ['Eva 👩\u200d👩\u200d👧', 'Eva 👩👩👧'],
  ['Ana\u2010María\u2011Inés\u2012Paz\u2013Sol', 'Ana-María-Inés-Paz-Sol'],
])('the name %j is stored as %j', (raw, stored) => {
  expect(readName(raw)).toBe(stored);
});

test.each<[string, readonly unknown[]]>([
  ['required', [undefined, '', '   \u00a0\u2003 ']],
  ['invalid', ['Eva\u0007', 'Eva\u0000Ruiz', 'Eva\r\nBcc: x@evil.example', 'Eva\tRuiz', 'Eva\u0085Ruiz']],
  ['invalid', ['Eva\u2028Ruiz', 'Eva\u2029Ruiz']],
  ['invalid', ['Eva\ud835', '\udd4fEva', '-- !!', '👩‍👩‍👧', ['Eva'], { toString: () => 'Eva' }, 7]],
  ['tooLong', ['n'.repeat(NAME_LIMIT + 1), 'ñ'.repeat(10_240)]],
  ['cardData', ['Eva 4111 1111 1111 1111', '４１１１１１１１１１１１１１１１']],
])('names with the problem %s are refused', (problem, names) => {
  expect(names.map(readName)).toEqual(names.map(() => ({ first_name: problem })));
});

test('every accepted name is in NFC, trimmed, one line of valid Unicode and within its limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (raw) => {
      const name = readName(raw);

      if (typeof name !== 'string') return;
      const same = [name.normalize('NFC').trim(), Buffer.from(name, 'utf8').toString('utf8'), readName(name)];
      expect(same).toEqual([name, name, name]);
      expect(name).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2010-\u2013]/u);
      expect(name.length).toBeLessThanOrEqual(NAME_LIMIT);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ...['eva@example.com', 'Eva.Ruiz@Example.COM', 'eva+tienda@example.com.mx', "o'brien@example.ie", '1@2.mx'],
  ...['x_y-z!#$%&*/=?^`{|}~@example.com', 'jose@exámple.mx', 'eva@xn--exmple-qta.mx', 'eva@a-b.example'],
  emailOfLength(EMAIL_LIMIT),
])('the e-mail address %s is accepted', (email) => {
  expect(readEmail(email)).toBe(email);
});

test.each([
  ...['a@b', '@example.com', 'eva@', 'josé@example.mx', 'eva', 'eva@.com', 'eva@example..com'],
  ...['eva@-example.com', 'eva@exa_mple.com', 'eva@[127.0.0.1]', '"eva ruiz"@example.com'],
  ...['eva ruiz@example.com', 'a@b@example.com', '.eva@example.com', 'e..va@example.com'],
  ...['eva@example.com,otra@example.com', 'Eva <eva@example.com>', 'eva@example.com\r\nBcc: x@evil.example'],
  ...['eva\u0000@example.com', 'eva@example.com\u2028x', 'eva@exämple.com/x'],
  ...[`${'a'.repeat(65)}@example.com`, `eva@${'b'.repeat(64)}.com`],
])('the e-mail address %j is invalid', (email) => {
  expect(readEmail(email)).toEqual({ email: 'invalid' });
});

test.each<[unknown, string]>([
  ['  ', 'required'],
  [['eva@example.com'], 'invalid'],
  [emailOfLength(EMAIL_LIMIT + 1), 'tooLong'],
  ['4111111111111111@example.com', 'cardData'],
])('the e-mail field %j is refused as %s', (raw, problem) => {
  expect(readEmail(raw)).toEqual({ email: problem });
});

test.each(['a', 'a.', '@', '@a.', '-', '1- ', '\u0301', 'a '])(
  'an e-mail address of 50 kB of %j is refused in linear time',
  (piece) => {
    const before = process.cpuUsage();

    expect(readEmail(`${piece.repeat(51_200 / piece.length)}!`)).toHaveProperty('email');

    // A few milliseconds. Quadratic time would be far longer.
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
  },
);

function readHome(change: Readonly<Record<string, unknown>>) {
  const reading = readContact({ ...address, ...change }, ADDRESS_FIELD_NAMES);
  return reading.ok ? reading.contact : reading.problems;
}

test('a delivery address is stored trimmed, and optional fields may be absent', () => {
  const street = ' Calle  Macedonio Alcalá 507 ';

  expect(readHome({ street, interior_number: '', delivery_notes: undefined })).toMatchObject({
    street: 'Calle Macedonio Alcalá 507',
    interiorNumber: '',
    deliveryState: 'OAX',
    deliveryNotes: '',
    firstName: '',
  });
});

test.each([
  ...['9515550101', '951 555 0101', '+52 (951) 555-01-01', '52 951 555 0101', '0052 951 555 0101'],
  ...['+52 1 951 555 0101', '521 951 555 0101', '044 951 555 0101', '045 951 555 0101', '01 951 555 0101'],
])('the phone number %s is stored as ten digits', (phone) => {
  expect(readHome({ phone })).toMatchObject({ phone: '9515550101' });
});

test.each([
  ['+1 951 555 0101', '+19515550101'],
  ['+34 612 345 678', '+34612345678'],
  // These pass the Luhn check.
  ['+55 11 91234-5676', '+5511912345676'],
  ['+49 1512 3456787', '+4915123456787'],
  ['0034 612 34 56 78', '+34612345678'],
  ['+44 (20) 7946-0958', '+442079460958'],
  ['\u202a+1\u00a0951\u2011555\u20110101\u202c', '+19515550101'],
])('the phone number %s of another country is stored as %s', (phone, stored) => {
  expect(readHome({ phone })).toMatchObject({ phone: stored });
});

test('a customer may have one name only', () => {
  expect(readContact({ ...eva, last_name: undefined }, PERSON_FIELD_NAMES)).toMatchObject({
    ok: true,
    contact: { firstName: 'Eva', lastName: '' },
  });
});

test('a phone number whose digits with its prefix would pass as a card number is accepted', () => {
  expect(readHome({ phone: '+52 1 55 1234 5678' })).toMatchObject({ phone: '5512345678' });
});

test.each<[string, unknown, string]>([
  ['phone', '1 951 555 0101', 'invalid'],
  ['phone', '+12345', 'invalid'],
  ['phone', `+${'9'.repeat(16)}`, 'invalid'],
  ['phone', '+3782 822463 10005', 'cardData'],
  ['phone', '+52 951 555 010', 'invalid'],
  ['phone', '4111 1111 1111 1111', 'cardData'],
  ['phone', '5212 3456 7890 0004', 'cardData'],
  ['phone', '٩٥١٥٥٥٠١٠١', 'invalid'],
  ['phone', '', 'required'],
  ['postal_code', '68OOO', 'invalid'],
  ['postal_code', '06000', 'otherState'],
  ['state', '', 'required'],
  ['state', 'XXX', 'invalid'],
  ['state', 'toString', 'invalid'],
  ['state', ['OAX', 'CMX'], 'invalid'],
  ['street', '   ', 'required'],
  ['street', 'Calle\u0000 1', 'invalid'],
  ['municipality', 'x'.repeat(101), 'tooLong'],
  ['delivery_notes', 'x'.repeat(251), 'tooLong'],
  ['delivery_notes', 'Portón\nverde', 'invalid'],
  ['delivery_notes', 'tarjeta 4111 1111 1111 1111', 'cardData'],
])('the address field %s with %j is refused as %s, and no other field is', (name, value, problem) => {
  expect(readHome({ [name]: value })).toEqual({ [name]: problem });
});

test('each beginning of a postal code belongs to one of the 32 states, except 17 to 19', () => {
  const statesOf = (start: number) =>
    STATE_CODES.filter((state) => isPostalCodeOf(state, `${String(start).padStart(2, '0')}000`));

  const states = numbers(100).map(statesOf);

  expect(STATE_CODES).toHaveLength(32);
  expect(states.map(({ length }) => length)).toEqual(numbers(100).map((start) => (start >= 17 && start <= 19 ? 0 : 1)));
  expect([states[6], states[68], states[64], states[22]]).toEqual([['CMX'], ['OAX'], ['NLE'], ['BCN']]);
});

test('a field of a day has calendar days, and the first one of a new order counts from the day in Mexico City', () => {
  const field = { column: 'day', type: 'date', minDaysAhead: 3 } as const;
  const midnight = Date.UTC(2026, 10, 30, 6);

  expect(readField(' 2028-02-29 ', field)).toEqual({ value: '2028-02-29' });
  for (const text of ['2027-02-29', '29/02/2028', 'mañana', '0026-11-30'])
    expect(readField(text, field)).toEqual({ problem: 'invalid' });
  expect([firstDayOf(field, midnight - 1), firstDayOf(field, midnight)]).toEqual(['2026-12-02', '2026-12-03']);
  expect([firstDayOf(field, undefined), firstDayOf({ column: 'note' }, midnight)]).toEqual([undefined, undefined]);
});
