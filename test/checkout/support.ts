/** Steps that several checkout tests share. */

import { isPostgres } from '@tianguis/payments/database';
import { reconcile } from '@tianguis/payments/testing';
import { sql } from 'kysely';
import type { CheckoutContext } from '../../src/shop/checkout-context.js';
import type { Db } from '../../src/tables/database.js';
import { until } from '../support/crowd.js';
import { Customer, contact } from '../support/customer.js';
import { allAttempts, allOrders, theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage, openPageOf, payByCard } from '../support/purchase.js';
import type { TestShop } from '../support/test-shop.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const attemptStates = async (shop: TestShop) => (await allAttempts(shop)).map(({ state }) => state);

export const orderStates = async (shop: TestShop) => (await allOrders(shop)).map(({ state }) => state);

export const orderPath = async (shop: TestShop) => `/orders/${(await theOrder(shop)).token}`;

/** Calls that sent a card payment. */
export const sentPayments = (shop: TestShop) => shop.control.calls('process');

export const sessionLookups = (shop: TestShop) => shop.control.calls('read-session');

/** Reconciles until no attempt is due. */
export async function reconcileAll(context: CheckoutContext): Promise<void> {
  while ((await reconcile(context, 'live')) + (await reconcile(context, 'watched')) > 0);
}

/** Advances the clock of the shop and reconciles until no attempt is due. */
export async function reconcileAfter(shop: TestShop, ms: number): Promise<void> {
  shop.clock.advance(ms);
  await reconcileAll(shop.checkout);
}

/** Sends a card payment and loses its answer, before or after the charge. */
export async function loseCardAnswer(
  shop: TestShop,
  when: 'before' | 'after',
  { customer, card }: { readonly customer?: Customer; readonly card?: string } = {},
): Promise<Customer> {
  const payer = customer ?? (await Customer.withCart(shop));
  shop.control.fault('process', { kind: 'drop', when }, 1);
  await payByCard(shop, payer, card, PAY_AGAIN);
  return payer;
}

/** Opens a hosted page, adds a product to the cart and opens the hosted page of the new order. */
export async function openTwoPages(shop: TestShop) {
  const first = await openHostedPage(shop);
  await first.customer.add({ product_id: 'alebrije-jaguar' });
  return [first, await openPageOf(shop, first.customer)] as const;
}

/** Sends a customer to the bank's 3D Secure page. */
export async function openBankPage(shop: TestShop) {
  const customer = await Customer.withCart(shop);
  const redirect = await payByCard(shop, customer, CARDS.challenged);
  const { token } = await theOrder(shop);
  const [payment] = shop.control.payments();
  if (!payment) throw new Error('the card form was not accepted: no payment was made');
  const { pathname, search } = new URL(payment.returnUrl);
  return {
    customer,
    redirect,
    payment: payment?.id ?? '',
    /** To which the bank redirects. */
    returnUrl: pathname + search,
    returnPath: `/checkout/return/${token}`,
    orderPath: `/orders/${token}`,
  };
}

/** Returns the id of the only cart. */
export async function cartIdOf({ queries }: TestShop): Promise<string> {
  return (await queries.selectFrom('carts').select('id').executeTakeFirstOrThrow()).id;
}

/** Returns how many PostgreSQL transactions wait for a lock. */
export async function countLockWaits({ queries }: TestShop): Promise<number> {
  const { rows } = await sql`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(queries);
  return rows.length;
}

/** Returns whether a PostgreSQL transaction waits for a lock. */
export async function isLockAwaited(shop: TestShop): Promise<boolean> {
  return (await countLockWaits(shop)) > 0;
}

/**
 * Runs a transaction of another process: first `lock`, then `work` in a transaction of the shop until it waits, then `rest`. On
 * PostgreSQL a deadlock rejects one of the two.
 */
export async function interleave<T>(
  shop: TestShop,
  lock: (queries: Db) => Promise<unknown>,
  work: () => Promise<T>,
  rest: (queries: Db) => Promise<unknown>,
): Promise<T> {
  await using other = await shop.connect();
  const { running } = await other.transaction(async (queries) => {
    await lock(queries);
    const running = work();
    // Otherwise its rejection is reported before it is awaited.
    running.catch(() => {});
    if (isPostgres(queries)) await until(() => isLockAwaited(shop));
    await rest(queries);
    return { running };
  });
  return running;
}

/** A checkout form whose customer confirmed the warning that an earlier attempt may still be charged. */
export const PAY_AGAIN = { ...contact, pay_again: '1' };
