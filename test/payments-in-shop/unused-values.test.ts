/** Values of the gateway's answers that the shop does not use as they are. */
import { expect, test } from '@jest/globals';
import type { Fault } from '@tianguis/gateway-tools';
import { attemptStates } from '../checkout/support.js';
import { Customer } from '../support/customer.js';
import { theOrder } from '../support/inspect.js';
import { openHostedPage, payAndReturn } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';

const shop = await openSharedShop();

const rewrite = (set: Record<string, unknown>): Fault => ({ kind: 'rewrite', set });

/** Returns call and member of each value that was logged as unused. */
function unusedValues(): readonly (readonly string[])[] {
  const lines = shop.logged.map((line) => JSON.parse(line) as Readonly<Record<string, string>>);
  return lines
    .filter(({ msg }) => msg === 'gateway.value_unused')
    .map(({ call = '', member = '' }) => [call, member] as const);
}

const seconds = (ms = 0) => Math.floor((shop.clock.now() + ms) / 1000);

test.each([
  ['expired', 'Expired', 1_790_000_000_000, 'review'],
  ['cancelled', 'Declined', '2026-11-21T12:00:00Z', 'review'],
  ['expired', 'Expired', null, 'expired'],
  ['cancelled', 'Pending', 0, 'cancelled'],
])(
  'a session that is %s/%s with paid_at %j leaves the order %s',
  async (status, transaction_status, paid_at, state) => {
    const opened = await openHostedPage(shop);
    shop.control.fault('read-session', rewrite({ status, transaction_status, paid_at }));

    await opened.customer.get(opened.returnPath);

    expect((await theOrder(shop)).state).toBe(state);
  },
);

test.each<[string, () => Record<string, unknown>, readonly string[]]>([
  ['paid_at in seconds', () => ({ paid_at: seconds() }), ['paid_at']],
  ['paid_at as text', () => ({ paid_at: new Date(shop.clock.now()).toISOString() }), ['paid_at']],
  ['paid_at tomorrow', () => ({ paid_at: shop.clock.now() + 86_400_000 }), ['paid_at']],
  ['paid_at null and payment_id as a list', () => ({ paid_at: null, payment_id: [1] }), ['payment_id']],
  ['paid_at now', () => ({ paid_at: shop.clock.now() }), []],
])('a payment with %s is paid, and the log has each value that is not used', async (_, members, expected) => {
  const opened = await openHostedPage(shop);
  shop.control.fault('read-session', rewrite(members()));

  await payAndReturn(shop, opened);

  expect((await theOrder(shop)).state).toBe('paid');
  expect(unusedValues()).toEqual(expected.map((member) => ['read-session', member]));
});

test.each<[string, () => Record<string, unknown>, readonly string[]]>([
  ['expires_at in milliseconds', () => ({ expires_at: shop.clock.now() + 3_600_000 }), ['expires_at']],
  ['expires_at in the past', () => ({ expires_at: seconds(-60_000) }), ['expires_at']],
  ['expires_at in 3 days', () => ({ expires_at: seconds(3 * 86_400_000) }), ['expires_at']],
  ['expires_at as text', () => ({ expires_at: '2027-01-01T00:00:00Z' }), ['expires_at']],
  ['expires_at in 31 minutes', () => ({ expires_at: seconds(31 * 60_000) }), []],
])('a session with %s is shown, and the log has each value that is not used', async (_, members, expected) => {
  shop.control.fault('create-session', rewrite(members()));

  await openHostedPage(shop);

  expect(unusedValues()).toEqual(expected.map((member) => ['create-session', member]));
});

test.each([
  { payment_method_types: ['spei'] },
  { payment_method_types: ['card', 'oxxo'] },
  { payment_method_types: 'card' },
  { payment_method_types: [] },
  { session_type: 'subscription' },
  { checkout_type: 'embedded' },
])('case 60: a session with %j is not shown', async (members) => {
  const customer = await Customer.withCart(shop);
  shop.control.fault('create-session', rewrite(members));

  const answer = await customer.payHosted();

  expect(answer.status).toBe(502);
  expect(await attemptStates(shop)).toEqual(['failed']);
  expect(shop.logged.some((line) => line.includes('"reason":"mismatch"'))).toBe(true);
});

test.each([{ payment_method_types: ['Card'] }, { payment_method_types: null, session_type: undefined }])(
  'a session with %j is shown',
  async (members) => {
    shop.control.fault('create-session', rewrite(members));

    await openHostedPage(shop);

    expect(await attemptStates(shop)).toEqual(['open']);
  },
);
