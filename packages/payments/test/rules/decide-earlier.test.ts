import { expect, test } from '@jest/globals';
import { decideEarlier, type EarlierDecision, type EarlierInput } from '../../src/rules/decide-earlier.js';

const REPLACEABLE: EarlierInput = {
  isSettled: false,
  mayReuse: false,
  replacement: 'replace',
  hasOpenPage: false,
  flow: 'hosted',
  payAgain: false,
};
const OPEN = { hasOpenPage: true, flow: 'card' } as const;

test.each<[string, EarlierDecision, Partial<EarlierInput>]>([
  ['an order that a changed cart replaces', 'place', {}],
  ['the same order again', 'reuse', { mayReuse: true }],
  ['the same order with an open page, by card', 'reuse', { mayReuse: true, ...OPEN }],
  ['the same order, whose payment was not looked up', 'reuse', { mayReuse: true, replacement: 'verify_first' }],
  ['a paid or uncertain order', 'show_earlier', { isSettled: true }],
  ['a paid or uncertain order that is the same', 'show_earlier', { isSettled: true, mayReuse: true }],
  ['a paid or uncertain order, confirmed', 'show_earlier', { isSettled: true, payAgain: true }],
  ['an order that may be paid by now', 'verify_earlier', { replacement: 'verify_first' }],
  ['an order that may be paid by now, confirmed', 'verify_earlier', { replacement: 'verify_first', payAgain: true }],
  ['a card payment at the bank', 'show_earlier', { replacement: 'keep' }],
  ['a card payment at the bank, with an open page', 'show_earlier', { replacement: 'keep', ...OPEN, payAgain: true }],
  ['an open page, by card', 'confirm_pay_again', OPEN],
  ['an open page, by card after the warning', 'place', { ...OPEN, payAgain: true }],
  ['an open page, by another page', 'place', { ...OPEN, flow: 'hosted' }],
])('%s: %s', (_name, expected, input) => {
  expect(decideEarlier({ ...REPLACEABLE, ...input })).toBe(expected);
});
