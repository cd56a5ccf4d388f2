import { expect, test } from '@jest/globals';
import type { Attempt } from '@tianguis/payments/rules';
import { attemptRow } from '@tianguis/payments/testing';
import { HOUR, MINUTE } from '../../../../test/checkout/support.js';
import { orderRow } from '../../../../test/support/rows.js';
import { decideReminder, type ReminderInput } from '../decide-reminder.js';

const open: Attempt = {
  ...attemptRow('x', { state: 'open', gatewayId: 'g', redirectUrl: 'u', gatewayStatus: 'pending/Pending' }),
  ...{ id: 'a', live: 1, offerEndsAt: HOUR },
};
const order = orderRow({ state: 'pending', createdAt: 0, payableUntil: 100 * HOUR });
const due: ReminderInput = {
  ...{
    order,
    isBlocked: false,
    isBoughtAgain: false,
    isOnSale: true,
    attempts: [open],
    reminderMs: 24 * HOUR,
    at: 24 * HOUR,
  },
  lookups: new Map([['a', 'answered']]),
};
const withOrder = (change: Partial<typeof order>) => ({ order: { ...order, ...change } });
const withAttempt = (change: Partial<Attempt>) => ({ attempts: [{ ...open, ...change }] });

test.each<[string, string, Partial<ReminderInput>]>([
  ['an unpaid order with an answered lookup', 'send', {}],
  ['an order without an attempt', 'never', { attempts: [], lookups: undefined }],
  ['an order whose page was never offered', 'never', withAttempt({ state: 'superseded', redirectUrl: null })],
  ['an order whose attempt ended', 'send', { ...withAttempt({ state: 'declined' }), lookups: undefined }],
  [
    'a superseded attempt whose page no customer has beside a declined one',
    'send',
    {
      attempts: [
        { ...open, state: 'superseded', redirectUrl: null },
        { ...open, id: 'b', state: 'declined' },
      ],
    },
  ],
  ['an order whose attempts were not looked up', 'look_up', { lookups: undefined }],
  ['a lookup without an answer', 'no_answer', { lookups: new Map([['a', 'unreachable']]) }],
  ['a payment that the gateway works on', 'no_answer', withAttempt({ gatewayStatus: 'processing' })],
  ['a card payment of unknown outcome', 'no_answer', withAttempt({ state: 'unknown', redirectUrl: null })],
  ['an order before its delay', 'too_early', { at: 24 * HOUR - 1 }],
  ['an order in the hour after an offer', 'too_early', withAttempt({ offerEndsAt: 23 * HOUR + MINUTE })],
  ['a paid order', 'never', withOrder({ state: 'paid' })],
  ['a cancelled order', 'never', withOrder({ state: 'cancelled' })],
  ['an order in state review', 'never', withOrder({ state: 'review' })],
  ['an order of unknown outcome', 'never', withOrder({ state: 'outcome_unknown' })],
  ['an order with a review reason', 'never', withOrder({ reviewReason: 'other_environment' })],
  ['a replaced order', 'never', withOrder({ supersededBy: 'y' })],
  ['an order that replaced a paid one', 'never', { isBlocked: true }],
  ['an order whose products other orders paid', 'never', { isBoughtAgain: true }],
  ['an ended link', 'never', withOrder({ payableUntil: null })],
  ['a link with less than 1 h left', 'never', withOrder({ payableUntil: 25 * HOUR - 1 })],
  ['an erased order', 'never', withOrder({ email: '' })],
  ['a sold-out order', 'never', { isOnSale: false }],
])('for %s the reminder is decided: %s', (_what, kind, change) => {
  expect(decideReminder({ ...due, ...change }).kind).toBe(kind);
});
