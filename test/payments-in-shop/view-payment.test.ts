/** What an order's payment shows: whether it is safe to pay again, over orders with one attempt each. */
import { expect, test } from '@jest/globals';
import type { PaymentView } from '@tianguis/payments';
import type { Attempt } from '@tianguis/payments/rules';
import { ORDER_STATES, type OrderState } from '@tianguis/payments/rules';
import { attemptRow } from '@tianguis/payments/testing';
import { paymentView, viewOf } from '../../packages/payments/src/view-payment.js';
import { theOrder } from '../support/inspect.js';
import { openPaidPage } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';

const shop = await openSharedShop();

const MINUTE = 60_000;
const NOW = 1_000 * MINUTE;
const PAGE = 'https://pay.example/checkout/cs_1';

/** An attempt that was created two hours ago and is offered for another hour, with changes. */
function attempt(change: Partial<Attempt>): Attempt {
  const times = { createdAt: NOW - 120 * MINUTE, offerEndsAt: NOW + 60 * MINUTE };
  const open = { state: 'open', gatewayId: 'cs_1', redirectUrl: PAGE, gatewayStatus: 'pending/Pending' } as const;
  const row = attemptRow('order', { ...times, ...open, ...change });
  return { ...row, live: ['creating', 'open', 'unknown'].includes(row.state) ? 1 : null };
}

const CARD = { flow: 'card', gatewayStatus: 'Pending', returnedAt: NOW - 60 * MINUTE } as const;
const ended = (minutes: number) => ({ state: 'superseded', offerEndsAt: NOW - minutes * MINUTE }) as const;

const ATTEMPTS: Readonly<Record<string, Partial<Attempt> | undefined>> = {
  'no attempt': undefined,
  'an attempt that starts': { state: 'creating', gatewayId: null, redirectUrl: null },
  'an open page': {},
  'an open page with a declined card': { gatewayStatus: 'pending/Declined' },
  'an open page of other addresses': { environment: 'other' },
  'a page that ended 10 min ago': ended(10),
  'a page that ended 31 min ago': ended(31),
  'an ended page with a declined card': { ...ended(1), gatewayStatus: 'pending/Declined' },
  'a session that no customer saw': { ...ended(1), redirectUrl: null },
  'a card payment at the bank': CARD,
  'a card payment that did not return': { ...CARD, returnedAt: null },
  'an abandoned card payment': { ...CARD, state: 'superseded', abandonedAt: NOW - 1 },
  'a card payment without an answer': { ...CARD, state: 'unknown', redirectUrl: null },
  'a declined card': { ...CARD, state: 'declined', gatewayStatus: 'Declined/CH01' },
  'an expired page': { state: 'expired', offerEndsAt: NOW - MINUTE },
};

function view(state: OrderState, name: string, lookupsSucceeded = true, isBlocked = false): PaymentView {
  const change = ATTEMPTS[name];
  const order = { state, payableUntil: NOW + 60 * MINUTE, paidAttemptId: null };
  const attempts = change ? [attempt(change)] : [];
  return paymentView({ order, attempts, isBlocked, lookupsSucceeded, environment: 'test', now: NOW });
}

const PARTS = [
  ...['safeToPayAgain', 'mayTryAgain', 'mayPayAnotherWay', 'payAgainFrom', 'paymentPage', 'declineReason'],
  ...['isStarting', 'isDeclinedOnPage', 'mayBePaidLate', 'hasUnendedAttempt', 'abandonedBankPage'],
] as readonly (keyof PaymentView)[];

/** Returns the names of what is true, and of what is there. */
const shown = (seen: PaymentView) => PARTS.filter((name) => Boolean(seen[name])).join(' ');

const SAFE = 'safeToPayAgain mayTryAgain';

test.each<[OrderState, string, string]>([
  ['created', 'no attempt', SAFE],
  ['created', 'an attempt that starts', 'isStarting'],
  ['pending', 'an open page', 'paymentPage'],
  ['pending', 'an open page with a declined card', 'paymentPage isDeclinedOnPage'],
  ['pending', 'an open page of other addresses', ''],
  ['pending', 'a card payment at the bank', 'payAgainFrom paymentPage'],
  ['pending', 'a card payment that did not return', 'mayPayAnotherWay paymentPage'],
  ['outcome_unknown', 'a card payment without an answer', ''],
  ['review', 'a card payment at the bank', 'payAgainFrom'],
  ['declined', 'a declined card', `${SAFE} declineReason`],
  ['declined', 'an abandoned card payment', 'mayTryAgain hasUnendedAttempt abandonedBankPage'],
  ['expired', 'an expired page', SAFE],
  ['expired', 'a page that ended 10 min ago', 'payAgainFrom mayBePaidLate hasUnendedAttempt'],
  ['expired', 'a page that ended 31 min ago', 'mayPayAnotherWay mayBePaidLate hasUnendedAttempt'],
  ['expired', 'an ended page with a declined card', 'mayPayAnotherWay mayBePaidLate hasUnendedAttempt'],
  ['expired', 'a session that no customer saw', SAFE],
  ['cancelled', 'no attempt', SAFE],
  ['cancelled', 'an attempt that starts', 'isStarting'],
  ['cancelled', 'a page that ended 31 min ago', 'mayBePaidLate hasUnendedAttempt'],
  ['paid', 'a page that ended 31 min ago', ''],
])('state %s with %s shows "%s"', (state, name, expected) => {
  expect(shown(view(state, name))).toBe(expected);
});

test('a declined order with an abandoned payment whose lookup failed may be paid late', () => {
  const { safeToPayAgain, mayTryAgain, mayBePaidLate } = view('declined', 'an abandoned card payment', false);

  expect([safeToPayAgain, mayTryAgain, mayBePaidLate]).toEqual([false, false, true]);
});

test('it is safe to pay again only without an attempt that starts, waits, has no answer or may still be paid', () => {
  const safe = ORDER_STATES.flatMap((state) =>
    Object.keys(ATTEMPTS).flatMap((name) =>
      [true, false].flatMap((succeeded) => (view(state, name, succeeded).safeToPayAgain ? [`${state}: ${name}`] : [])),
    ),
  );

  const riskless = ['no attempt', 'a session that no customer saw', 'a declined card', 'an expired page'];
  const unpaid = ['created', 'declined', 'expired', 'cancelled'];
  expect(safe.filter((each) => !riskless.some((name) => each.endsWith(name)))).toEqual([]);
  expect(new Set(safe.map((each) => each.split(':')[0]))).toEqual(new Set(unpaid));
});

test.each(ORDER_STATES)('an order in state %s beside a paid one that it replaced is not safe to pay', (state) => {
  const safe = Object.keys(ATTEMPTS).filter((name) => view(state, name, true, true).safeToPayAgain);

  expect(safe).toEqual([]);
});

test('the view of an order is that after its lookup', async () => {
  await openPaidPage(shop);
  const stored = await theOrder(shop);

  const paid = await viewOf(shop.checkout, stored);

  expect([stored.state, paid.state, paid.order.state, paid.hasConfirmedPayment]).toEqual([
    'pending',
    'paid',
    'paid',
    true,
  ]);
  expect([paid.safeToPayAgain, paid.paymentPage]).toEqual([false, undefined]);
});
