import { faultName } from '../core/fault-name.js';
import { recordEvent } from '../store/history.js';
import { findOrder, findOrderLines } from '../store/orders.js';
import { claimEffects, type Effect, finishEffect, putOffEffect } from '../store/outbox.js';
import { onPaid } from './on-paid.js';
import type { CheckoutServices, PaidOrder } from './services.js';

const BATCH = 8;
/** Longer than any effect takes: a crash frees it then. */
const LEASE_MS = 120_000;
const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 60 * 60 * 1000;

/**
 * Does what paid orders wait for: the receipt and the merchant's own hook. Each at least once, until it succeeds; its
 * key is the same every time. Returns how many it took.
 */
export async function processOutbox(services: CheckoutServices): Promise<number> {
  const at = services.clock.now();
  const effects = await claimEffects(services.db.queries, { at, leaseUntil: at + LEASE_MS, most: BATCH });
  await Promise.all(effects.map((effect) => perform(services, effect)));
  return effects.length;
}

async function perform(services: CheckoutServices, effect: Effect): Promise<void> {
  const { db, clock, log } = services;
  const order = await findOrder(db.queries, effect.orderId);
  if (!order) throw new Error('an effect without its order');
  try {
    const paid: PaidOrder = { key: effect.key, order, lines: await findOrderLines(db.queries, order.id) };
    await (effect.effect === 'receipt' ? services.sendReceipt(paid) : onPaid(paid));
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
