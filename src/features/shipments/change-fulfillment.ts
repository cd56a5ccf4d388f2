import { jobKey, queueJob, recordEvent } from '@tianguis/payments/back-office';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import { shippingKindOf } from '../../shop/rules/frozen-shipping.js';
import type { FulfillmentState } from '../../shop/rules/fulfillment.js';
import type { Db } from '../../tables/database.js';
import { type Fulfillment, findFulfillment, mayFulfill } from '../../tables/fulfillments.js';
import { lockOrder } from '../../tables/orders.js';
import { isBackward, nextStates } from './next-states.js';
import { deleteWaitingJob, updateFulfillment } from './repository.js';
import type { Shipment } from './shipment.js';

export type FulfillmentChange =
  | { readonly to: 'shipped'; readonly shipment: Shipment }
  | { readonly to: Exclude<FulfillmentState, 'shipped'> };

export interface FulfillmentRequest {
  readonly orderId: string;
  readonly version: number;
  readonly change: FulfillmentChange;
  /** Why the fulfillment goes back. Ignored for a change forward. */
  readonly reason?: string;
  readonly by: string;
}

/**
 * `changed`: another admin user changed it after the page was rendered. `not_allowed`: the order must not be fulfilled now, or
 * its fulfillment does not allow this change. `reason_missing`: a change back needs a reason.
 */
export type FulfillmentResult = 'done' | FulfillmentRefusal;
type FulfillmentRefusal = 'changed' | 'not_allowed' | 'reason_missing';

/** Each has an outbox job of its name, which mails the customer. */
const MAILED_STATES = ['shipped', 'ready'] as const satisfies readonly FulfillmentState[];

/**
 * Changes the fulfillment of a paid order, as `nextStates` allows, and records it in the order's
 * history. A shipped order, or one that is ready, queues one mail to the customer; a correction queues no other.
 * Throws if the order does not exist or the database fails.
 */
export async function changeFulfillment(
  context: CheckoutContext,
  request: FulfillmentRequest,
): Promise<FulfillmentResult> {
  const at = context.clock.now();
  const result = await context.db.transaction((queries) => apply(queries, request, at));
  if (typeof result === 'string') return result;
  context.log.info('fulfillment.changed', { ...result, to: request.change.to });
  return 'done';
}

async function apply(
  queries: Db,
  { orderId, version, change, reason, by }: FulfillmentRequest,
  at: number,
): Promise<{ readonly order: string; readonly from: FulfillmentState } | FulfillmentRefusal> {
  const order = await lockOrder(queries, orderId);
  const before = await findFulfillment(queries, orderId);
  if (!before) return 'not_allowed';
  if (before.version !== version) return 'changed';
  const { state: from } = before;
  const { to } = change;
  const isAllowed = nextStates(from, shippingKindOf(order)).includes(to) && (await mayFulfill(queries, order));
  if (!isAllowed) return 'not_allowed';
  const note = isBackward(from, to) ? (reason ?? '') : undefined;
  if (note === '') return 'reason_missing';
  const { carrier, trackingNumber } = parcelAfter(change, before);
  await updateFulfillment(queries, before, { state: to, carrier, trackingNumber, updatedAt: at });
  const detail = { from, to, carrier: carrier ?? undefined, trackingNumber: trackingNumber || undefined, by, note };
  await recordEvent(queries, { orderId, at, kind: 'fulfillment_changed', detail });
  const job = MAILED_STATES.find((state) => state === to);
  if (job && order.email !== '') await queueJob(queries, { key: jobKey(job, orderId), orderId, job, at });
  // A mail that was not sent yet would announce what is not true any more.
  if (to === 'preparing') for (const each of MAILED_STATES) await deleteWaitingJob(queries, jobKey(each, orderId));
  return { order: order.number, from };
}

function parcelAfter(change: FulfillmentChange, before: Fulfillment): Pick<Fulfillment, 'carrier' | 'trackingNumber'> {
  if (change.to === 'shipped') return change.shipment;
  return change.to === 'preparing' ? { carrier: null, trackingNumber: null } : before;
}
