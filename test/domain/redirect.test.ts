import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { localPath, safeRedirect } from '../../src/domain/redirect.js';

const page = { origins: ['https://pay.example'], allowLoopbackHttp: false };
const bank = { allowLoopbackHttp: false };
const development = { allowLoopbackHttp: true };

const NEVER = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://pay.example/',
  'blob:https://pay.example/8b3c',
  'ws://pay.example/',
  'about:blank',
  'http://pay.example/',
  'http://127.0.0.1/',
  '//evil.example/',
  '/\\evil.example/',
  '\\\\evil.example',
  'https:\\\\evil.example',
  'https:/\\evil.example',
  'https://pay.example\\@evil.example/',
  'https://pay.example@evil.example/',
  'https://user@pay.example/',
  'https://user:password@pay.example/',
  'https://:password@pay.example/',
  ' https://pay.example/',
  'https://pay.example/ ',
  '\u0000https://pay.example/',
  'https://pay.example/\r\nSet-Cookie: a=b',
  'https://pay.example/\tx',
  'https://pay.example/\u0085',
  'https://pay.example/\u2028',
  'https://',
  'https://[::1',
  'https://pay.example:99999/',
  'https://exa mple/',
  '/checkout',
  'checkout',
  '',
  `https://pay.example/${'a'.repeat(10_240)}`,
];

describe('an address that a customer may be sent to', () => {
  test.each(NEVER)('%j is refused, with and without a list of origins', (address) => {
    expect(safeRedirect(address, page)).toBeUndefined();
    expect(safeRedirect(address, bank)).toBeUndefined();
  });

  test.each([
    'https://pay.example.evil.example/',
    'https://evil.example/https://pay.example/',
    'https://evil.example#https://pay.example/',
    'https://evil.example?https://pay.example/',
    'https://xpay.example/',
    'https://sub.pay.example/',
    'https://pay.example./',
    'https://pay.example:8443/',
    'https://pay-example/',
    'https://рay.example/',
    'https://ｐay.example.mx/',
    'https://pay.examp1e/',
  ])('%j does not pass for the hosted page', (address) => {
    expect(safeRedirect(address, page)).toBeUndefined();
  });

  test.each([
    ['https://pay.example/checkout/cs_1?a=1#x', 'https://pay.example/checkout/cs_1?a=1#x'],
    ['https://pay.example', 'https://pay.example/'],
    ['https://pay.example:443/x', 'https://pay.example/x'],
    ['HTTPS://PAY.EXAMPLE/x', 'https://pay.example/x'],
    ['https://pay.example/ñ', 'https://pay.example/%C3%B1'],
  ])('%s is the hosted page', (address, href) => {
    expect(safeRedirect(address, page)).toBe(href);
  });

  test('a bank may be any https host, on any port', () => {
    expect(safeRedirect('https://acs.bank.example:8443/3ds?x=1', bank)).toBe(
      'https://acs.bank.example:8443/3ds?x=1',
    );
  });

  test.each(['http://localhost:4000/bank/1', 'http://127.0.0.1:4000/', 'http://[::1]:4000/'])(
    'plain http to this machine is allowed where asked for: %s',
    (address) => {
      expect(safeRedirect(address, development)).toBe(address);
      expect(safeRedirect(address, bank)).toBeUndefined();
    },
  );

  test.each([
    'http://localhost.evil.example/',
    'http://127.0.0.1.evil.example/',
    'http://192.168.0.1/',
    'http://0.0.0.0/',
  ])('plain http elsewhere is refused even there: %s', (address) => {
    expect(safeRedirect(address, development)).toBeUndefined();
  });

  test('whatever comes, what goes out is https, on the list, without user info or control characters', () => {
    const pieces = fc.constantFrom(
      'https:',
      'http:',
      '//',
      '/',
      '\\',
      '@',
      ':',
      'pay.example',
      'evil.example',
      '.',
      '%00',
      '#',
      '?',
      '\n',
      'a',
    );
    const addresses = fc.oneof(
      fc.webUrl(),
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 9 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(addresses, (address) => {
        const href = safeRedirect(address, page);

        if (href !== undefined) expect(href).toMatch(/^https:\/\/pay\.example\/[\x21-\x7e]*$/);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('a path of this shop', () => {
  test.each([
    '/',
    '/cart',
    '/checkout',
    '/checkout/card',
    '/products/taza-de-talavera',
    '/orders/-_a9',
    '/?q=caf%C3%A9+de+olla&category=pantry',
  ])('%s leads there', (path) => {
    expect(localPath(path)).toBe(path);
  });

  test.each<unknown>([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/%2fevil.example',
    '/%5cevil',
    '/\tevil',
    '/\n/evil',
    '/cart\r\nSet-Cookie: a=b',
    '/cart\n',
    '/cart?next=//evil',
    '/?',
    '/?q=a\nb',
    '/?q=a#b',
    '?q=a',
    '/cart#x',
    '/../admin',
    '/a//b',
    '/.evil',
    '/@evil',
    'cart',
    '',
    ' /cart',
    '/cárt',
    `/${'a'.repeat(500)}`,
    undefined,
    null,
    ['/cart'],
    { toString: () => '/cart' },
    7,
  ])('%j leads to the front page', (raw) => {
    expect(localPath(raw)).toBe('/');
  });

  test('whatever comes, the path stays on this origin', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.webPath(), fc.string({ unit: 'binary' }), fc.stringMatching(/^[/\\a.%@:?#]{1,12}$/)),
        (raw) => {
          expect(new URL(localPath(raw), 'https://shop.example').origin).toBe('https://shop.example');
        },
      ),
      { numRuns: 2000 },
    );
  });
});
