import type { PaymentContext } from './context.js';
import type { Attempt } from './rules/attempt.js';
import { findAttempts, makeAttemptsDue, markReturned } from './store/attempts.js';
import type { Order } from './store/orders.js';
import { unlessDatabaseFails } from './unless-database-fails.js';
import { verifyPayment } from './verify-payment.js';

/** A browser that comes from the gateway or a bank. None of its parameters is trusted. */
export interface ReturnRequest {
  /** The parameter `session_id`, if the address has it. */
  readonly sessionId: unknown;
  /** The attempt that the address names. */
  readonly attemptId: string;
  /** Whether the browser is that of the customer of the order. Needed if the address names no attempt at the bank. */
  isOwner(): Promise<boolean>;
  /** Counts a lookup for the client, and returns whether it may cause one. */
  mayLookUp(): Promise<boolean>;
}

/**
 * Verifies the order of a return. A session id of another order causes no lookup. A client above its limit does not use up the
 * lookup budget: the worker does the lookup instead. A database error is logged.
 */
export async function receiveReturn(context: PaymentContext, order: Order, request: ReturnRequest): Promise<void> {
  const { clock, db, log } = context;
  const { sessionId } = request;
  const attempts = await findAttempts(db.queries, order.id);
  // The attempts hold the session ids. One in the address is never looked up.
  if (sessionId !== undefined && !attempts.some(({ gatewayId }) => gatewayId === sessionId)) {
    log.warn('return.session_mismatched', { order: order.number });
    return;
  }
  await unlessDatabaseFails(context, order, async () => {
    const now = clock.now();
    if (await isFromBank(attempts, request)) await markReturned(db.queries, order.id, now);
    if (await request.mayLookUp()) await verifyPayment(context, order.id, 'return');
    else await makeAttemptsDue(db.queries, order.id, now);
  });
}

/**
 * Returns whether the browser comes from the bank's page of an open card attempt: its address names the attempt, or the
 * customer of the order has it. Other persons with the order's link must not keep the customer from paying again.
 */
async function isFromBank(attempts: readonly Attempt[], { attemptId, isOwner }: ReturnRequest): Promise<boolean> {
  const atBank = attempts.filter(({ flow, state }) => flow === 'card' && state === 'open');
  return atBank.length > 0 && (atBank.some(({ id }) => id === attemptId) || (await isOwner()));
}
