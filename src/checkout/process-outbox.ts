import { recordEvent } from '../db/history.js';
import { findOrder, findOrderLines, type Order } from '../db/orders.js';
import { claimEffects, type Effect, finishEffect, putOffEffect } from '../db/outbox.js';
import { faultName } from '../domain/fault-name.js';
import type { CheckoutServices, PaidOrder } from './services.js';
import { withDeadline } from './with-deadline.js';

type Send = (
  services: CheckoutServices,
  order: Order,
  job: { readonly key: string; readonly signal: AbortSignal },
) => Promise<void>;

/** One sender for each job type; a missing one does not compile. */
const EFFECTS = {
  // Retention may have removed the customer's address before the order was paid.
  receipt: async (services, order, { key }) =>
    order.email === '' ? undefined : services.sendReceipt(await paidOrder(services, order, key)),
  on_paid: async (services, order, { key, signal }) =>
    services.onPaid(await paidOrder(services, order, key), signal),
  order_link: (services, order, { key }) => services.sendOrderLink(order, key),
} as const satisfies Record<Effect['effect'], Send>;

const EFFECT_TYPES = Object.keys(EFFECTS) as readonly Effect['effect'][];
const BATCH = 8;
/** Above the deadline of a job, in milliseconds. After a crash another worker claims the job when the lease expires. */
export const EFFECT_LEASE_MS = 120_000;
const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 60 * 60 * 1000;

/**
 * Runs due outbox jobs of these types: receipts, the merchant's hook and order links. Each job runs at least once, until it
 * succeeds, always with the same idempotency key. A failed or timed-out job is retried with backoff and does not affect
 * other jobs. Returns the number of claimed jobs.
 */
export async function processOutbox(
  services: CheckoutServices,
  types: readonly Effect['effect'][] = EFFECT_TYPES,
  stop?: AbortSignal,
): Promise<number> {
  const at = services.clock.now();
  const effects = await claimEffects(services.db.queries, {
    types,
    at,
    leaseUntil: at + EFFECT_LEASE_MS,
    most: BATCH,
  });
  await Promise.all(effects.map((effect) => perform(services, effect, stop)));
  return effects.length;
}

async function paidOrder({ db }: CheckoutServices, order: Order, key: string): Promise<PaidOrder> {
  return { key, order, lines: await findOrderLines(db.queries, order.id) };
}

async function perform(services: CheckoutServices, effect: Effect, stop?: AbortSignal): Promise<void> {
  const { db, log } = services;
  const { effect: kind, tries: count } = effect;
  const fields = { order: undefined as string | undefined, kind };
  try {
    const order = await findOrder(db.queries, effect.orderId);
    if (!order) throw new Error('an effect without its order');
    fields.order = order.number;
    const send: Send = EFFECTS[kind];
    const { effectDeadlineMs } = services.policy;
    await withDeadline(
      effectDeadlineMs,
      (signal) => send(services, order, { key: effect.key, signal }),
      stop,
    );
    await finish(services, effect);
    log.info('effect_done', fields);
  } catch (error) {
    const fault = faultName(error);
    log.error('effect_failed', { ...fields, reason: fault, count });
    await putOff(services, effect, fault);
  }
}

async function finish({ db, clock }: CheckoutServices, { key, orderId, effect }: Effect): Promise<void> {
  const at = clock.now();
  await db.transaction(async (queries) => {
    await finishEffect(queries, key, at);
    await recordEvent(queries, { orderId, at, kind: 'effect_done', detail: { effect } });
  });
}

/** Schedules the retry of a failed job. If the database fails too, the job is due again when its lease expires. */
async function putOff({ db, clock, log }: CheckoutServices, effect: Effect, fault: string): Promise<void> {
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (effect.tries - 1));
  try {
    await putOffEffect(db.queries, effect.key, { nextAt: clock.now() + delay, fault });
  } catch (error) {
    log.error('effect_not_put_off', { kind: effect.effect, reason: faultName(error) });
  }
}
