import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { safeRedirect } from '../../src/rules/redirect.js';

const page = { origins: ['https://pay.example'], allowLoopbackHttp: false };
const bank = { allowLoopbackHttp: false };
const development = { allowLoopbackHttp: true };

test.each([
  ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'java\nscript:alert(1)', 'data:text/html,<script>'],
  ...['file:///etc/passwd', 'blob:https://pay.example/8b3c', 'ws://pay.example/', 'about:blank'],
  ...['http://pay.example/', 'http://127.0.0.1/', '//evil.example/', '/\\evil.example/', '\\\\evil.example'],
  ...['https:\\\\evil.example', 'https:/\\evil.example', 'https://pay.example\\@evil.example/'],
  ...['https://pay.example@evil.example/', 'https://user@pay.example/', 'https://:password@pay.example/'],
  ...[' https://pay.example/', 'https://pay.example/ ', '\u0000https://pay.example/'],
  ...['https://pay.example/\r\nSet-Cookie: a=b', 'https://pay.example/\tx', 'https://pay.example/\u0085'],
  ...['https://pay.example/\u2028', 'https://', 'https://[::1', 'https://pay.example:99999/'],
  ...['https://exa mple/', '/checkout', 'checkout', '', `https://pay.example/${'a'.repeat(4_077)}`],
  // 12 bytes for each letter after normalization.
  ...[`https://pay.example/${'𝕏'.repeat(1_000)}`],
])('the redirect target %j is refused, with and without a list of origins', (target) => {
  expect([safeRedirect(target, page), safeRedirect(target, bank)]).toEqual([undefined, undefined]);
});

test.each([
  ...['https://pay.example.evil.example/', 'https://evil.example/https://pay.example/'],
  ...['https://evil.example#https://pay.example/', 'https://xpay.example/', 'https://sub.pay.example/'],
  ...['https://pay.example./', 'https://pay.example:8443/', 'https://pay-example/', 'https://рay.example/'],
])('the redirect target %j is not the origin of the hosted page', (target) => {
  expect(safeRedirect(target, page)).toBeUndefined();
});

test.each([
  ['https://pay.example/checkout/cs_1?a=1#x', 'https://pay.example/checkout/cs_1?a=1#x'],
  ['https://pay.example', 'https://pay.example/'],
  ['https://pay.example:443/x', 'https://pay.example/x'],
  ['HTTPS://PAY.EXAMPLE/x', 'https://pay.example/x'],
  ['https://pay.example/ñ', 'https://pay.example/%C3%B1'],
])('the redirect target %s on the hosted page is normalized to %s', (target, href) => {
  expect(safeRedirect(target, page)).toBe(href);
});

test('a redirect target whose host has an accented letter is accepted each of 50,000 times', () => {
  const targets = Array.from({ length: 50_000 }, () => safeRedirect('https://ñandú.example/', bank));

  expect(new Set(targets)).toEqual(new Set(['https://xn--and-6ma2c.example/']));
});

test('a redirect target of 4,096 characters is accepted', () => {
  const target = `https://pay.example/${'a'.repeat(4_076)}`;

  expect([safeRedirect(target, page), safeRedirect(target, bank)]).toEqual([target, target]);
});

test('without a list of origins, a redirect target may have any https host and port', () => {
  const target = 'https://acs.bank.example:8443/3ds?x=1';

  expect(safeRedirect(target, bank)).toBe(target);
});

test.each(['http://localhost:4000/bank/1', 'http://127.0.0.1:4000/', 'http://[::1]:4000/'])(
  'the loopback target %s is accepted only where plain http is allowed',
  (target) => {
    expect([safeRedirect(target, development), safeRedirect(target, bank)]).toEqual([target, undefined]);
  },
);

test('every accepted target is https, on the list, and without user info or control characters', () => {
  const pieces = fc.constantFrom(
    ...['https:', 'http:', '//', '/', '\\', '@', ':', 'pay.example', 'evil.example'],
    ...['.', '%00', '#', '?', '\n', 'a'],
  );
  const targets = fc.oneof(fc.webUrl({ size: 'xsmall' }), fc.string({ unit: 'binary' }), {
    weight: 4,
    arbitrary: fc.array(pieces, { maxLength: 9 }).map((all) => all.join('')),
  });
  fc.assert(
    fc.property(targets, (target) => {
      const href = safeRedirect(target, page);

      return href === undefined || /^https:\/\/pay\.example\/[\x21-\x7e]*$/.test(href);
    }),
    { numRuns: 1000 },
  );
});
