import { recordEvents } from '@tianguis/payments/back-office';
import { toPesosText } from '@tianguis/payments/rules';
import type { Request, Response } from 'express';
import { answer, orderOf } from '../../admin/order/admin-order.js';
import { readOrderRecord } from '../../admin/order/order-record.js';
import { messageOf } from '../../admin/order/order-timeline.js';
import { adminOf } from '../../admin/permissions.js';
import { contactOf, isErased } from '../../shop/rules/contact.js';
import { localTime } from '../../shop/rules/mexico-day.js';
import { findOrder, type Order } from '../../tables/orders.js';
import { readPersonalRows } from '../../tables/personal-data.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import { findOrderIdsOf } from './repository.js';

/** Sends all data with the e-mail address of the order as JSON. The history of each order records the user. */
export async function sendCopy(_req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  if (isErased(order)) return answer(res, order, 'erased_before');
  const context = contextOf(res);
  const { db, clock, log } = context.checkout;
  const at = clock.now();
  const by = adminOf(res).name;
  const ids = await findOrderIdsOf(db.queries, order);
  const orders: Awaited<ReturnType<typeof copyOf>>[] = [];
  for (const id of ids) {
    const found = await findOrder(db.queries, id);
    if (found) orders.push(await copyOf(context, found));
  }
  await db.transaction((queries) =>
    recordEvents(
      queries,
      ids.map((orderId) => ({ orderId, at, kind: 'personal_data_copied', detail: { by } }) as const),
    ),
  );
  log.info('customer_data.copied', { user: by, order: order.number, count: ids.length });
  const copy = {
    email: order.email,
    phone: order.phone,
    copiedAt: localTime(at),
    timeZone: 'America/Mexico_City',
    orders,
  };
  res
    .type('json')
    .attachment(`datos-${order.number}.json`)
    .send(`${JSON.stringify(copy, undefined, 2)}\n`);
}

/** Returns what is stored about the customer with one order. Amounts are pesos. It has no secret, such as the order's address. */
async function copyOf(context: RequestContext, order: Order) {
  const { lines, attempts, refunds, fulfillment, events } = await readOrderRecord(context, order, undefined);
  const { number, state, createdAt, paidAt, currency, note, locale, discountCode } = order;
  return {
    number,
    state,
    placedAt: timeOf(createdAt),
    paidAt: timeOf(paidAt),
    locale,
    customer: contactOf(order),
    total: toPesosText(order.total),
    currency,
    discountCode,
    note,
    lines: lines.map(({ name, quantity, unitPrice }) => ({ name, quantity, unitPrice: toPesosText(unitPrice) })),
    payments: attempts.map(({ reference, flow, method, note, state, amount, gatewayId, createdAt }) => ({
      reference,
      flow,
      method,
      note,
      state,
      amount: toPesosText(amount),
      gatewayId,
      startedAt: timeOf(createdAt),
    })),
    refunds: refunds.map(({ kind, state, amount, refundedOn }) => ({
      kind,
      state,
      amount: toPesosText(amount),
      refundedOn,
    })),
    delivery: fulfillment && { carrier: fulfillment.carrier, trackingNumber: fulfillment.trackingNumber },
    ...(await readPersonalRows(context.checkout.db.queries, order.id)),
    history: events.map(({ at, kind, detail }) => ({
      at: timeOf(at),
      event: kind === 'job_done' ? jobName(context, detail) : (messageOf(context, `events.${kind}`) ?? kind),
    })),
  };
}

function timeOf(at: number | null): string | null {
  return at === null ? null : localTime(at);
}

/** Returns the name of a mail or hook that was done. */
function jobName(context: RequestContext, detail: string): string {
  const job = String((JSON.parse(detail) as { readonly job?: string }).job);
  return messageOf(context, `jobs.${job}`) ?? job;
}
