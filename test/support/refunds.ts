/** Refunds of a test shop: paid orders, requests and webhook events. */

import type { Refund, RefundRequest, RefundResult } from '@tianguis/payments/back-office';
import type { Attempt } from '@tianguis/payments/rules';
import { processInbox, type RefundWaits, receiveWebhook, refundPayment } from '@tianguis/payments/testing';
import type { CheckoutContext } from '../../src/shop/checkout-context.js';
import { addDays, dayOf, startOfDay } from '../../src/shop/rules/mexico-day.js';
import { findOrder, type Order } from '../../src/tables/orders.js';
import { Customer } from './customer.js';
import { allAttempts } from './inspect.js';
import { payByCard } from './purchase.js';
import type { TestShop } from './test-shop.js';

/** The gateway refunds card payments, and refunds can be looked up. */
export const BY_GATEWAY = { env: { REFUNDS: 'gateway' }, profile: 'interface' } as const;

/** Returns the payments that refund card payments at the gateway, also in a shop without the pages of refunds. */
export function refunding({ checkout }: Pick<TestShop, 'checkout'>): CheckoutContext {
  return { ...checkout, config: { ...checkout.config, refunds: 'gateway' } };
}

/** Moves the clocks of shop and gateway to the start of the next day of Mexico City, so that no test sees midnight. */
export function startNextDay({ clock, control }: TestShop): void {
  const now = clock.now();
  const ms = startOfDay(addDays(dayOf(now), 1)) - now;
  clock.advance(ms);
  control.advanceClock(ms);
}

/** Places an order by card that the gateway confirms at once. */
export async function openPaidOrder(shop: TestShop, line: { product_id?: string; quantity?: string } = {}) {
  const customer = await Customer.withCart(shop, line);
  await payByCard(shop, customer);
  const attempt = (await allAttempts(shop)).at(-1);
  if (attempt?.state !== 'paid') throw new Error('the card payment was not confirmed');
  return { customer, attempt };
}

/** Returns the order of an attempt, as a page of the back office shows it. */
export async function orderOf(shop: TestShop, { orderId }: Pick<Attempt, 'orderId'>) {
  const order = await findOrder(shop.queries, orderId);
  if (!order) throw new Error('no such order');
  return order;
}

/** Returns the last attempt of an order. */
export async function attemptOf(shop: TestShop, { id }: Pick<Order, 'id'>): Promise<Attempt> {
  const attempt = (await allAttempts(shop)).findLast(({ orderId }) => orderId === id);
  if (!attempt) throw new Error('the order has no attempt');
  return attempt;
}

type Changes = Partial<RefundRequest>;

/** Returns the request for the whole confirmed amount, with today's version of the order. */
export async function requestOf(shop: TestShop, attempt: Attempt, changes: Changes = {}) {
  const request: RefundRequest = {
    orderId: attempt.orderId,
    attemptId: attempt.id,
    version: (await orderOf(shop, attempt)).version,
    amount: attempt.confirmedAmount ?? attempt.amount,
    reason: 'broken cup',
    returnsGoods: false,
    way: 'gateway',
    refundedOn: dayOf(shop.clock.now()),
    by: 'ana',
    ...changes,
  };
  return request;
}

/** Refunds an attempt, at the gateway unless `changes` names another way. */
export async function refund(
  shop: TestShop,
  attempt: Attempt,
  changes: Changes = {},
  waits?: RefundWaits,
): Promise<RefundResult> {
  return refundPayment(refunding(shop), await requestOf(shop, attempt, changes), waits);
}

export function record(shop: TestShop, attempt: Attempt, changes: Changes = {}): Promise<RefundResult> {
  return refund(shop, attempt, { way: 'record', ...changes });
}

/** Returns all refunds, oldest first. */
export function allRefunds(shop: TestShop): Promise<readonly Refund[]> {
  return shop.queries.selectFrom('refunds').selectAll().orderBy('createdAt').orderBy('id').execute();
}

export const refundStates = async (shop: TestShop) => (await allRefunds(shop)).map(({ state }) => state);

/** Stores and processes the event of a refund, by default the last one. Its amount is wrong, and the shop must not read it. */
export async function receiveRefundEvent(shop: TestShop, changes: object = {}): Promise<void> {
  const found = shop.control.refunds().at(-1);
  const event = {
    event: 'refund_Success',
    id: found?.id,
    operation_type: 'refund',
    status: 'Success',
    amount: '0.01',
    original_transaction_id: found?.originalId,
    client_reference: null,
    // Events with the same bytes are stored once.
    at: shop.clock.now(),
    ...changes,
  };
  await receiveWebhook(shop.checkout, JSON.stringify(event));
  await processInbox(shop.checkout);
}
