import type { Applied } from './apply-transition.js';
import { applyToHost, HostFailedError, logHostFailure, tryHost } from './call-host.js';
import type { PaymentContext } from './context.js';
import { retryWrite } from './retry-write.js';
import type { Attempt } from './rules/attempt.js';
import { findAttempts } from './store/attempts.js';
import { lockOrder, type Order } from './store/orders.js';

/**
 * Gives the host a change that was stored with an answer of the gateway, in a transaction of its own and with the retries of
 * {@link retryWrite}. It is skipped if the order changed meanwhile, because the host gets the later change. It is lost if the
 * process stops before. Never throws: what fails is logged, and the order is in review.
 */
export async function reportChange(context: PaymentContext, applied: Applied | undefined): Promise<void> {
  const { db, host, log } = context;
  if (!applied?.change || host.ignoredEvents.includes(applied.change.cause)) return;
  const { change } = applied;
  const { id, number } = change.after;
  const report = () =>
    db.transaction(async (tx) => {
      // For the lock order see README.md.
      const locked = await tryHost(tx, 'lockBefore', () => host.lockBefore(tx, [id]));
      const order = await lockOrder(tx, id);
      if (isOutdated(applied, order, await findAttempts(tx, id))) return;
      const failure = locked instanceof HostFailedError ? locked : undefined;
      await applyToHost(tx, context, { change: { ...change, after: order }, failure });
    });
  const onRetry = (reason: string) => log.warn('host.change_retried', { order: number, event: change.cause, reason });
  await retryWrite(context, report, onRetry).catch((error: unknown) => logHostFailure(context, change, error));
}

/** Returns whether the order or the attempt has changed since, or another attempt has started. */
function isOutdated({ order, attempt }: Applied, present: Order, attempts: readonly Attempt[]): boolean {
  const isSameOrder =
    present.state === order.state &&
    present.reviewReason === order.reviewReason &&
    present.payableUntil === order.payableUntil;
  if (!isSameOrder || !attempt) return !isSameOrder;
  const isSameAttempt = attempts.some(({ id, state }) => id === attempt.id && state === attempt.state);
  return !isSameAttempt || attempts.some(({ live, ordinal }) => live === 1 && ordinal > attempt.ordinal);
}
