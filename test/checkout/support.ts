/** Steps that several checkout tests share. */
import type { CheckoutContext } from '../../src/checkout/context.js';
import { processInbox } from '../../src/checkout/process-inbox.js';
import { receiveWebhook } from '../../src/checkout/receive-webhook.js';
import { reconcile } from '../../src/checkout/reconcile.js';
import { allAttempts, allOrders, theOrder } from '../support/inspect.js';
import type { TestShop } from '../support/test-shop.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const attemptStates = async (shop: TestShop) => (await allAttempts(shop)).map(({ state }) => state);

export const orderStates = async (shop: TestShop) => (await allOrders(shop)).map(({ state }) => state);

export const orderPath = async (shop: TestShop) => `/orders/${(await theOrder(shop)).token}`;

/** Calls that sent a card payment. */
export const sentPayments = (shop: TestShop) => shop.simulator.control.calls('process');

export const sessionLookups = (shop: TestShop) => shop.simulator.control.calls('read-session');

/** Reconciles until no attempt is due. */
export async function reconcileAll(context: CheckoutContext): Promise<void> {
  while ((await reconcile(context)) > 0);
}

/** Advances the clock of the shop and reconciles until no attempt is due. */
export async function reconcileAfter(shop: TestShop, ms: number): Promise<void> {
  shop.clock.advance(ms);
  await reconcileAll(shop.context.checkout);
}

/** Stores an authenticated webhook that names a payment, by default the first one, and processes the inbox. */
export async function receivePaymentWebhook(
  shop: TestShop,
  payment = shop.simulator.control.payments()[0],
): Promise<void> {
  const event = JSON.stringify({ id: payment?.id, client_reference: payment?.reference });
  await receiveWebhook(shop.context.checkout, event);
  await processInbox(shop.context.checkout);
}

/** Returns the id of the only cart. */
export async function cartIdOf(shop: TestShop): Promise<string> {
  const { id } = await shop.context.checkout.db.queries
    .selectFrom('carts')
    .select('id')
    .executeTakeFirstOrThrow();
  return id;
}
