import { expect, test } from '@jest/globals';
import { EMAIL_DOMAINS, suggestEmail } from '../../src/shop/rules/suggest-email.js';
import { MISTYPED } from '../support/mistyped-emails.js';

test.each(MISTYPED)('for %s the shop suggests %s', (typed, suggested) => {
  expect(suggestEmail(typed)).toBe(suggested);
});

test('an address at a common domain, and one that is suggested, are not asked about', () => {
  const addresses = [...EMAIL_DOMAINS.map((domain) => `ana@${domain}`), ...MISTYPED.map(([, suggested]) => suggested)];

  expect(addresses.filter((address) => address !== undefined && suggestEmail(address) !== undefined)).toEqual([]);
});
