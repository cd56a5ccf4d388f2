import { faultName } from '../core/fault-name.js';
import { recordEvent } from '../store/history.js';
import { findOrder, findOrderLines, type Order } from '../store/orders.js';
import { claimEffects, type Effect, finishEffect, putOffEffect } from '../store/outbox.js';
import { onPaid } from './on-paid.js';
import type { CheckoutServices, PaidOrder } from './services.js';

/** What each effect does. One without its doing does not compile. */
const EFFECTS = {
  // An order that was paid after its shopper was forgotten has nobody to write to.
  receipt: async (services, order, key) =>
    order.email === '' ? undefined : services.sendReceipt(await paidOrder(services, order, key)),
  on_paid: async (services, order, key) => onPaid(await paidOrder(services, order, key)),
  order_link: (services, order, key) => services.sendOrderLink(order, key),
} as const satisfies Record<
  Effect['effect'],
  (services: CheckoutServices, order: Order, key: string) => Promise<void>
>;

const BATCH = 8;
/** Longer than any effect takes, in milliseconds: a crash frees it then. */
export const EFFECT_LEASE_MS = 120_000;
const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 60 * 60 * 1000;

/**
 * Does what orders wait for: the receipt, the merchant's own hook, a link asked for by mail. Each at least once, until
 * it succeeds; its key is the same every time. Returns how many it took.
 */
export async function processOutbox(services: CheckoutServices): Promise<number> {
  const at = services.clock.now();
  const effects = await claimEffects(services.db.queries, {
    at,
    leaseUntil: at + EFFECT_LEASE_MS,
    most: BATCH,
  });
  await Promise.all(effects.map((effect) => perform(services, effect)));
  return effects.length;
}

async function paidOrder({ db }: CheckoutServices, order: Order, key: string): Promise<PaidOrder> {
  return { key, order, lines: await findOrderLines(db.queries, order.id) };
}

async function perform(services: CheckoutServices, effect: Effect): Promise<void> {
  const { db, clock, log } = services;
  const order = await findOrder(db.queries, effect.orderId);
  if (!order) throw new Error('an effect without its order');
  try {
    await EFFECTS[effect.effect](services, order, effect.key);
  } catch (error) {
    const fault = faultName(error);
    log.error('effect_failed', {
      order: order.number,
      kind: effect.effect,
      reason: fault,
      count: effect.tries,
    });
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (effect.tries - 1));
    await putOffEffect(db.queries, effect.key, { nextAt: clock.now() + delay, fault });
    return;
  }
  const at = clock.now();
  await db.transaction(async (queries) => {
    await finishEffect(queries, effect.key, at);
    await recordEvent(queries, {
      orderId: order.id,
      at,
      kind: 'effect_done',
      detail: { effect: effect.effect },
    });
  });
  log.info('effect_done', { order: order.number, kind: effect.effect });
}
