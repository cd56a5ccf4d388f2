import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EMAIL_LIMIT, NAME_LIMIT, readContact } from '../../src/domain/contact.js';

const eva = { first_name: 'Eva', last_name: 'Ruiz', email: 'eva@example.com' };

/** What becomes of one name. */
function readName(first_name: unknown) {
  const reading = readContact({ ...eva, first_name });
  return reading.ok ? reading.contact.firstName : reading.problems;
}

/** What becomes of one e-mail address. */
function readEmail(email: unknown) {
  const reading = readContact({ ...eva, email });
  return reading.ok ? reading.contact.email : reading.problems;
}

const long = (length: number) => `${'a'.repeat(length - 12)}@example.com`;
/** A local part of 64 and labels of 63 at most, so that only the whole length is at the limit. */
const atLimit = (length: number) => {
  const domain = `${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(59)}.mx`;
  return `${'a'.repeat(length - domain.length - 1)}@${domain}`;
};

describe('a name', () => {
  test.each([
    'Eva',
    'X',
    'Ñandú Güemes',
    'María José de la O',
    'O’Brien-Smith, Jr.',
    "D'Angelo",
    'محمد بن سلمان',
    '王小明',
    'Владимир',
    'Σωκράτης',
    'अनुष्का',
    '한국어',
    '𝕏',
    'Eva 👩‍👩‍👧',
    'Jo\u200cão',
    "Robert'); DROP TABLE orders;--",
    '<script>alert(1)</script>',
    'n'.repeat(NAME_LIMIT),
  ])('%j is kept whole', (name) => {
    expect(readName(name)).toBe(name.normalize('NFC'));
  });

  test.each([
    ['cafe\u0301', 'café'],
    ['  Eva  ', 'Eva'],
    ['Eva\u00a0\u2003 Ruiz', 'Eva Ruiz'],
    ['Eva\n', 'Eva'],
    ['\ufeffEva', 'Eva'],
  ])('%j is kept as %j', (raw, kept) => {
    expect(readName(raw)).toBe(kept);
  });

  test.each<[string, unknown, string]>([
    ['absent', undefined, 'required'],
    ['empty', '', 'required'],
    ['only spaces', '   \u00a0\u2003 ', 'required'],
    ['a control character', 'Eva\u0007', 'invalid'],
    ['NUL', 'Eva\u0000Ruiz', 'invalid'],
    ['a line break', 'Eva\r\nBcc: x@evil.example', 'invalid'],
    ['a tab', 'Eva\tRuiz', 'invalid'],
    ['a C1 control', 'Eva\u0085Ruiz', 'invalid'],
    ['a line separator', 'Eva\u2028Ruiz', 'invalid'],
    ['a paragraph separator', 'Eva\u2029Ruiz', 'invalid'],
    ['a right-to-left override', 'Eva \u202eevil', 'invalid'],
    ['an isolate', 'Eva \u2067evil', 'invalid'],
    ['a lone high surrogate', 'Eva\ud835', 'invalid'],
    ['a lone low surrogate', '\udd4fEva', 'invalid'],
    ['a byte order mark inside', 'Eva\ufeffRuiz', 'invalid'],
    ['no letter or digit', '-- !!', 'invalid'],
    ['only an emoji', '👩‍👩‍👧', 'invalid'],
    ['an array', ['Eva'], 'invalid'],
    ['an object', { toString: () => 'Eva' }, 'invalid'],
    ['a number', 7, 'invalid'],
    ['one too long', 'n'.repeat(NAME_LIMIT + 1), 'tooLong'],
    ['500 characters', 'n'.repeat(500), 'tooLong'],
    ['10 kB', 'ñ'.repeat(10_240), 'tooLong'],
    ['a card number', 'Eva 4111 1111 1111 1111', 'cardData'],
    ['a full-width card number', '４１１１１１１１１１１１１１１１', 'cardData'],
  ])('%s is refused', (_what, raw, problem) => {
    expect(readName(raw)).toEqual({ first_name: problem });
  });

  test('whatever is accepted is NFC, trimmed, one line, valid Unicode and within its limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (raw) => {
        const kept = readName(raw);

        if (typeof kept !== 'string') return;
        expect(kept).toBe(kept.normalize('NFC').trim());
        expect(kept).toBe(Buffer.from(kept, 'utf8').toString('utf8'));
        expect(kept).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
        expect(kept.length).toBeLessThanOrEqual(NAME_LIMIT);
        expect(readName(kept)).toBe(kept);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('an e-mail address', () => {
  test.each([
    'eva@example.com',
    'Eva.Ruiz@Example.COM',
    'eva+tienda@example.com.mx',
    "o'brien@example.ie",
    'a@b.mx',
    '1@2.mx',
    'x_y-z!#$%&*/=?^`{|}~@example.com',
    'jose@exámple.mx',
    'eva@xn--exmple-qta.mx',
    'eva@a-b.example',
    atLimit(EMAIL_LIMIT),
  ])('%s is one', (email) => {
    expect(readEmail(email)).toBe(email);
  });

  test.each([
    'a@b',
    '@example.com',
    'eva@',
    'josé@example.mx',
    'eva',
    'eva@example',
    'eva@.com',
    'eva@example.',
    'eva@example..com',
    'eva@-example.com',
    'eva@example-.com',
    'eva@exa_mple.com',
    'eva@[127.0.0.1]',
    '"eva ruiz"@example.com',
    '"a\\"b"@example.com',
    'eva ruiz@example.com',
    'eva@exam ple.com',
    'eva@@example.com',
    'a@b@example.com',
    '.eva@example.com',
    'eva.@example.com',
    'e..va@example.com',
    'eva@example.com,otra@example.com',
    'eva@example.com;otra@example.com',
    'eva@example.com otra@example.com',
    'Eva <eva@example.com>',
    'eva@example.com\r\nBcc: x@evil.example',
    'eva@example.com\nBcc:x@evil.example',
    'eva\u0000@example.com',
    'eva@example.com\u2028x',
    'eva\u202e@example.com',
    `${'a'.repeat(65)}@example.com`,
    `eva@${'b'.repeat(64)}.com`,
    'javascript:alert(1)@example.com',
    'eva@exämple.com/x',
  ])('%j is none', (email) => {
    expect(readEmail(email)).toEqual({ email: 'invalid' });
  });

  test.each<[string, unknown, string]>([
    ['absent', undefined, 'required'],
    ['blank', '  ', 'required'],
    ['an array', ['eva@example.com'], 'invalid'],
    ['255 characters', atLimit(255), 'tooLong'],
    ['300 characters', long(300), 'tooLong'],
    ['a card number', '4111111111111111@example.com', 'cardData'],
  ])('%s is refused', (_what, raw, problem) => {
    expect(readEmail(raw)).toEqual({ email: problem });
  });

  test('spaces around it are taken off', () => {
    expect(readEmail(' eva@example.com\t')).toBe('eva@example.com');
  });

  test.each([
    ['one letter', 'a'],
    ['dots', 'a.'],
    ['at signs', '@'],
    ['labels', '@a.'],
    ['hyphens', '-'],
    ['digits with gaps', '1- '],
    ['combining marks', '\u0301'],
    ['spaces inside', 'a '],
  ])('50 kB of %s are refused without long thought', (_of, piece) => {
    const started = performance.now();

    expect(readEmail(`${piece.repeat(51_200 / piece.length)}!`)).toHaveProperty('email');

    // A few milliseconds; with work that grows by the square it takes far longer.
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

describe('a contact form', () => {
  test('names every field that is wrong at once, and no other', () => {
    const all = readContact({});
    const one = readContact({ ...eva, last_name: '\u0000' });

    expect(all).toEqual({
      ok: false,
      problems: { first_name: 'required', last_name: 'required', email: 'required' },
    });
    expect(one).toEqual({ ok: false, problems: { last_name: 'invalid' } });
  });

  test('the longest names together fit what the gateway takes', () => {
    const name = 'n'.repeat(NAME_LIMIT);
    const reading = readContact({ ...eva, first_name: name, last_name: name });

    expect(
      reading.ok && `${reading.contact.firstName} ${reading.contact.lastName}`.length,
    ).toBeLessThanOrEqual(255);
  });
});
