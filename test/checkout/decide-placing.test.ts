import { expect, test } from '@jest/globals';
import { withStatus } from '@tianguis/payments/back-office';
import { decideReplacement } from '@tianguis/payments/rules';
import { attemptRow } from '@tianguis/payments/testing';

import {
  decidePlacing,
  type EarlierOrder,
  type PlacingDecision,
  type PlacingInput,
} from '../../src/shop/decide-placing.js';

/** The latest order: of an earlier version of the cart, and a new one may replace it. */
const EARLIER: EarlierOrder = {
  isOfThisVersion: false,
  isForeign: false,
  mayReuse: false,
  isUncertain: false,
  hasOpenPage: false,
  replacement: 'replace',
};
const FORM = {
  hasLines: true,
  isChanged: false,
  isConfirmed: true,
  uncertain: 'none',
  flow: 'hosted',
  payAgain: false,
  isClosed: false,
} as const;
const EXISTING = { isOfThisVersion: true };
const OPEN = { ...EXISTING, hasOpenPage: true };

test.each<[string, PlacingDecision, Partial<PlacingInput>, Partial<EarlierOrder> | undefined]>([
  ['a first submit', 'place', {}, undefined],
  ['a submit of an empty cart', 'cart_empty', { hasLines: false }, undefined],
  ['a submit of a sold-out cart', 'cart_changed', { hasLines: false, isChanged: true }, undefined],
  ['a submit of a total that is not the present one', 'cart_changed', { isConfirmed: false }, EXISTING],
  ['a repeated submit', 'reuse', {}, { ...EXISTING, mayReuse: true }],
  ['a repeated submit of a cart whose prices changed', 'place', { isChanged: true }, { ...EXISTING, mayReuse: true }],
  ['a submit of another e-mail address', 'place', {}, EXISTING],
  ['a submit of a changed cart', 'place', {}, {}],
  ['a submit of a changed cart beside a foreign order', 'place', {}, { isForeign: true }],
  ['a submit by another customer of the cart', 'show_earlier', {}, { ...EXISTING, isForeign: true, mayReuse: true }],
  ['a submit of products in review', 'show_uncertain', { uncertain: 'all' }, { ...EXISTING, mayReuse: true }],
  ['a submit after a replaced order in review', 'show_uncertain', { uncertain: 'linked' }, {}],
  ['a submit of some products in review', 'in_review', { uncertain: 'some' }, {}],
  ['a submit beside an order that may be paid', 'verify_earlier', {}, { replacement: 'verify_first' }],
  ['a submit beside a card payment at the bank', 'show_earlier', {}, { replacement: 'keep' }],
  ['a card beside the open page of the same cart', 'confirm_pay_again', { flow: 'card' }, OPEN],
  ['a card beside it after the warning', 'place', { flow: 'card', payAgain: true }, OPEN],
  ['a hosted page beside it', 'place', {}, OPEN],
  ['a card beside the open page of another cart', 'place', { flow: 'card' }, { hasOpenPage: true }],
  ['a first submit in a closed shop', 'shop_closed', { isClosed: true }, undefined],
  ['a changed cart in a closed shop', 'shop_closed', { isClosed: true }, {}],
  ['a repeated submit in a closed shop', 'reuse', { isClosed: true }, { ...EXISTING, mayReuse: true }],
  ['a card beside the open page in a closed shop', 'shop_closed', { flow: 'card', isClosed: true }, OPEN],
  [
    'an empty cart that a payment may have emptied',
    'verify_earlier',
    { hasLines: false },
    { replacement: 'verify_first' },
  ],
  ['an empty cart of an open order', 'show_earlier', { hasLines: false }, { ...EXISTING, replacement: 'verify_first' }],
  [
    'a cart that its uncertain order emptied',
    'show_earlier',
    { hasLines: false, isChanged: true },
    { isUncertain: true },
  ],
  ['an empty cart with an order', 'show_earlier', { hasLines: false }, {}],
])('%s leads to %s', (_name, expected, form, earlier) => {
  expect(decidePlacing({ ...FORM, ...form, earlier: earlier && { ...EARLIER, ...earlier } })).toBe(expected);
});

const MINUTE_MS = 60_000;
const waitsForBank = {
  state: 'open',
  flow: 'card',
  redirectUrl: 'https://bank.example/',
  gatewayStatus: 'pending',
  createdAt: 0,
} as const;
const atBank = withStatus({ ...attemptRow('o', { ...waitsForBank, environment: 'here' }), live: 1 });
const superseded = withStatus({ ...attemptRow('o', { state: 'superseded', environment: 'here' }), live: null });
const answered = new Map([[atBank.id, 'answered' as const]]);

test.each<[string, ReturnType<typeof decideReplacement>, Partial<Parameters<typeof decideReplacement>[0]>]>([
  ['of an order without an attempt', 'replace', { state: 'created' }],
  ['of a pending order', 'verify_first', {}],
  ['of a declined order', 'replace', { state: 'declined' }],
  ['of a declined order with a superseded attempt', 'verify_first', { state: 'declined', attempts: [superseded] }],
  ['of a pending order that was looked up', 'replace', { lookups: new Map() }],
  ['of a paid order', 'replace', { state: 'paid', attempts: [superseded] }],
  ['beside a card payment at the bank', 'keep', { attempts: [atBank], lookups: answered }],
  ['beside one that was given up', 'replace', { attempts: [atBank], lookups: answered, payAgain: true }],
  ['beside one without an answer', 'keep', { attempts: [atBank], lookups: new Map(), payAgain: true }],
  ['beside one of other addresses', 'replace', { attempts: [atBank], lookups: answered, environment: 'there' }],
])('a replacement %s: %s', (_name, expected, input) => {
  const pending = { state: 'pending', attempts: [], lookups: undefined, payAgain: false, environment: 'here' } as const;
  expect(decideReplacement({ ...pending, at: 9 * MINUTE_MS, ...input })).toBe(expected);
});
