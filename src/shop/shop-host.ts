/** The shop as the host of the payments: carts, stock, fulfillment and mails. */

import type { HostJob, PaymentHost } from '@tianguis/payments';
import { endJob, jobKey, recordEvent } from '@tianguis/payments/back-office';
import type { Loop } from '@tianguis/payments/operations';
import { emptyCartOf, lockCartsOfOrders } from '../tables/carts.js';
import type { Db } from '../tables/database.js';
import {
  findFulfillment,
  insertFulfillment,
  isStockTaken,
  markStockReturned,
  markStockTaken,
} from '../tables/fulfillments.js';
import { findOrderLines } from '../tables/orders.js';
import type { Schema } from '../tables/schema.js';
import {
  endReservation,
  extendReservation,
  lockStock,
  readStock,
  releaseCart,
  returnStock,
  takeStock,
} from '../tables/stock.js';
import type { CheckoutContext, JobHandler, ShopLoop } from './checkout-context.js';
import { becamePaid, reservationEnd, type ShopChange, type ShopOrder } from './order-hooks.js';
import { setAside } from './reserve-stock.js';
import { gatewayLines } from './rules/discount.js';
import { isClosedFor } from './rules/shop-settings.js';
import type { ClientKeys } from './rules/stock.js';
import { queuePaidJobs } from './shop-jobs.js';
import { startKeysOf } from './start-limits.js';

/** What the shop passes through the start of a payment to its own host. */
export interface ShopStart {
  /** The customer's data in the order as the caller read it. Another customer of the cart may change it meanwhile. */
  readonly contactHash?: string;
  /** Absent: what the client may set aside is not limited. */
  readonly client?: ClientKeys | undefined;
  /** A person pays who does not own the order. */
  readonly isByOther?: boolean;
}

type HostContext = Pick<
  CheckoutContext,
  'clock' | 'config' | 'discountCodes' | 'jobs' | 'orderHooks' | 'orderPath' | 'settings' | 'startLimits'
>;
const startOf = (passed: unknown) => (passed ?? {}) as ShopStart;

/** `contextOf` returns the context of the jobs, which has the payments of this host. */
export function createShopHost(context: HostContext, contextOf: () => CheckoutContext): PaymentHost<Schema> {
  const { clock, discountCodes, startLimits } = context;
  return {
    orderPath: context.orderPath,
    jobs: boundJobs(context.jobs, contextOf),
    lockBefore: lockCartsOfOrders,
    async describe(tx, order) {
      return { lines: gatewayLines(await findOrderLines(tx, order.id)), payer: order };
    },
    async prepareStart(tx, order, { until, passed }) {
      const { client, contactHash = order.contactHash } = startOf(passed);
      if (contactHash !== order.contactHash) return 'not_yours';
      const at = clock.now();
      if (order.discountCode !== null && !(await discountCodes?.renew(tx, order, { client, until, at })))
        return 'not_offered';
      const seen = await readStock(tx, order, at);
      if (await isShopClosed(tx, context, order, { until, version: seen.settingsVersion })) return 'not_offered';
      if (!seen.isVisible) return 'sold_out';
      if (seen.isHeld) return 'ready';
      const { isCovered, lines } = await lockStock(tx, order, at);
      if (!isCovered) return 'sold_out';
      if (until !== undefined) await setAside(tx, context, order, { pieces: lines, client, until });
      return 'ready';
    },
    async lockGoods(tx, order) {
      const at = clock.now();
      const { isCovered, lines } = await lockStock(tx, order, at);
      return {
        available: isCovered,
        async take() {
          await markStockTaken(tx, order.id);
          await takeStock(tx, lines, at);
        },
      };
    },
    lacksGoods: async (queries, { id }) => (await isStockTaken(queries, id)) !== true,
    ignoredEvents: ['opened', 'found', 'superseded'],
    async applyChange(tx, change) {
      await startFulfillment(tx, change);
      await releaseReservation(tx, change);
      for (const hooks of context.orderHooks) await hooks.orderChanged?.(tx, change, currentConfig(context));
    },
    async moneyReturned(tx, order, { refundId, isFull, paidTheOrder, returnsGoods, isReversal = false }) {
      const at = clock.now();
      if (isFull && paidTheOrder && returnsGoods) await returnGoods(tx, order, at);
      const refund = { orderId: order.id, refundId, isReversal, at };
      for (const hooks of context.orderHooks) await hooks.moneyReturned?.(tx, refund);
      if (isReversal) await endJob(tx, jobKey('receipt', order.id), at);
    },
    async admit(order, flow, passed) {
      const { client, isByOther = false } = startOf(passed);
      return client && startLimits.count(flow, startKeysOf(order, client, isByOther));
    },
    async noteDecline(passed) {
      const { client } = startOf(passed);
      if (client) await startLimits.noteDecline(client);
    },
    async offerExtended(tx, order, byMs) {
      const time = { at: clock.now(), byMs };
      await extendReservation(tx, order, time);
      await discountCodes?.extend(tx, order, time);
    },
  };
}

/** `until` is absent if an attempt that started before is shown again. It may be paid. `version` is that of the settings. */
async function isShopClosed(
  tx: Db,
  { settings, clock }: Pick<HostContext, 'settings' | 'clock'>,
  order: ShopOrder,
  { until, version = settings.current().settingsVersion }: { readonly until?: number; readonly version?: number },
): Promise<boolean> {
  if (until === undefined) return false;
  return isClosedFor(order, await settings.atVersion(tx, version), clock.now());
}

function boundJobs(jobs: CheckoutContext['jobs'], contextOf: () => CheckoutContext) {
  const bind = (run: JobHandler) => async (order: ShopOrder, job: HostJob) =>
    run(await currentContext(contextOf), order, job);
  return Object.fromEntries(Object.entries(jobs).map(([name, run]) => [name, bind(run)]));
}

/** Returns the loops of the shop as those of its payments. */
export function boundLoops(loops: readonly ShopLoop[], contextOf: () => CheckoutContext): readonly Loop[] {
  return loops.map((loop) => ({
    ...loop,
    process: async (stop) => loop.process(await currentContext(contextOf), stop),
  }));
}

/** Another process may have changed the settings of the shop. */
async function currentContext(contextOf: () => CheckoutContext): Promise<CheckoutContext> {
  const context = contextOf();
  await context.settings.refresh();
  return { ...context, config: currentConfig(context) };
}

/** Returns the configuration with what the merchant changed. */
function currentConfig({ config, settings }: Pick<CheckoutContext, 'config' | 'settings'>): CheckoutContext['config'] {
  return { ...config, ...settings.current().configChanges };
}

/**
 * Writes the fulfillment of a paid order, before its stock is taken, removes the products from the cart, and queues receipt and
 * hook. The primary key ensures that an order has one fulfillment.
 */
async function startFulfillment(queries: Db, change: ShopChange): Promise<void> {
  const { after, attempt, at } = change;
  if (!becamePaid(change) || !attempt) return;
  // A later change was missed, and this one was not.
  if (change.cause === 'change_repeated' && (await findFulfillment(queries, after.id))) return;
  await insertFulfillment(queries, { orderId: after.id, attemptId: attempt.id, at, stockTaken: 0 });
  await emptyCartOf(queries, after, at);
  await queuePaidJobs(queries, after, at);
}

/** Shortens the reservation of a declined order and ends that of others. A paid order removes those of its whole cart. */
async function releaseReservation(queries: Db, change: ShopChange): Promise<void> {
  const { after } = change;
  if (becamePaid(change)) await releaseCart(queries, after.cartId);
  const end = reservationEnd(change);
  if (end !== undefined) await endReservation(queries, after, end);
}

/** Returns the products of an order to stock, if they were taken. */
async function returnGoods(queries: Db, order: ShopOrder, at: number): Promise<void> {
  if (!(await markStockReturned(queries, order.id))) return;
  await returnStock(queries, order, at);
  await recordEvent(queries, { orderId: order.id, at, kind: 'stock_returned', detail: {} });
}
