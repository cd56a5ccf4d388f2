/** Payments that the gateway reported and that no order here has, such as those after a backup that was restored. */

import type { PaymentContext } from './context.js';
import { refuseTablePrefix } from './database/table-prefix.js';
import { GatewayError, gatewayErrorOf } from './gateway/errors.js';
import { readWebhook } from './gateway/webhook-event.js';
import { parse } from './receive-webhook.js';
import type { PaymentFlow } from './rules/order.js';
import type { GatewayPayment } from './rules/payment.js';
import type { Db } from './store/database.js';
import { findUnmatched } from './store/inbox.js';

/** A webhook event for which no order was found. */
export interface UnmatchedEvent {
  readonly receivedAt: number;
  readonly event: string | null;
  /** What it names as ids of sessions or payments. */
  readonly ids: readonly string[];
  /** All its texts. A reference is one of them if the gateway sends it. They may hold personal data. */
  readonly texts: readonly string[];
}

/** Returns the newest webhook events for which no order was found. */
export async function findUnmatchedEvents(queries: Db, limit: number): Promise<readonly UnmatchedEvent[]> {
  refuseTablePrefix(queries);
  const stored = await findUnmatched(queries, limit);
  return stored.map(({ receivedAt, event, body }) => {
    const { ids = [], texts = [], refund } = readWebhook(parse(body)) ?? {};
    return { receivedAt, event, texts, ids: refund ? [refund.gatewayId ?? refund.gatewayRefundId] : ids };
  });
}

/** What the gateway returns for an id. Statuses and amounts are those of an authenticated lookup. */
export type ShownPayment =
  | { readonly flow: PaymentFlow; readonly payment: GatewayPayment }
  | 'not_found'
  | 'unreachable';

/** Asks the gateway for the session or card payment with this id, for a person who reads it. Stores nothing. */
export async function showPayment(
  { gateway, lookupBudget }: Pick<PaymentContext, 'gateway' | 'lookupBudget'>,
  gatewayId: string,
): Promise<ShownPayment> {
  let result: ShownPayment = 'not_found';
  for (const flow of gateway.flows) {
    await lookupBudget.take(flow, 'merchant', false);
    const payment = await gateway.lookUp(flow, gatewayId).catch(gatewayErrorOf);
    if (!(payment instanceof GatewayError)) {
      if (payment.gatewayId === gatewayId) return { flow, payment };
    } else if (payment.code !== 'not_found' && payment.code !== 'refused') result = 'unreachable';
  }
  return result;
}
