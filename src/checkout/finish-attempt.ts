import { setTimeout as delay } from 'node:timers/promises';
import { type Attempt, type AttemptPatch, findAttemptAndConflict } from '../db/attempts.js';
import { isTransientError } from '../db/database-error.js';
import { lockOrder, type Order } from '../db/orders.js';
import { errorName } from '../domain/error-name.js';
import { ShopError } from '../domain/shop-error.js';
import type { PaymentEvent } from '../domain/transition.js';
import { GatewayError } from '../gateway/errors.js';
import { type Applied, applyTransition, reportTransition } from './apply-transition.js';
import type { CheckoutContext } from './context.js';

/** Delay before the worker's first lookup of an opened attempt. Most customers return and settle it earlier. */
const FIRST_LOOKUP_MS = 20_000;

/** Normalized gateway response to the call that starts an attempt. */
export type Outcome =
  | {
      readonly kind: 'opened';
      readonly gatewayId: string;
      readonly url?: string;
      readonly gatewayStatus?: string;
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly gatewayId?: string }
  | { readonly kind: 'declined'; readonly gatewayStatus: string }
  | { readonly kind: 'unknown'; readonly reason: string };

interface Finished {
  readonly order: Order;
  readonly late: boolean;
}

/**
 * Stores the gateway's response in one transaction. Retries transient database faults every 100 ms for up to 6 s, because a
 * lost response may hide a charge. `late` means that the attempt or order changed meanwhile, or that the response names the
 * id of another attempt. Throws if the attempt does not exist or the database fails.
 */
export async function finishAttempt(
  context: CheckoutContext,
  attempt: Attempt,
  answered: Outcome,
): Promise<Finished> {
  const { applied, order, late } = await retryWrite(
    () => write(context, attempt, answered),
    (reason) => context.log.warn('attempt.outcome_retried', { attempt: attempt.id, reason }),
  );
  if (applied) reportTransition(context, applied, attempt.flow === 'card' ? 'card_answer' : 'checkout');
  return { order, late };
}

/**
 * Stores that the gateway call failed, and throws the error. A `GatewayError` becomes a {@link ShopError}: `payment_refused`
 * for refusals and unusable responses, otherwise `gateway_unavailable`. The customer may try again.
 */
export async function failAttempt(
  context: CheckoutContext,
  attempt: Attempt,
  error: unknown,
): Promise<never> {
  const code = error instanceof GatewayError ? error.code : undefined;
  await finishAttempt(context, attempt, { kind: 'failed', reason: code ?? 'unexpected' });
  if (code === undefined) throw error;
  const isRefused = code === 'refused' || code === 'not_found' || code === 'bad_answer';
  throw new ShopError(isRefused ? 'payment_refused' : 'gateway_unavailable', { cause: error });
}

/** `applied` is absent if an earlier try was committed although its connection failed. */
function write(
  context: CheckoutContext,
  attempt: Attempt,
  answered: Outcome,
): Promise<Finished & { readonly applied?: Applied }> {
  const at = context.clock.now();
  return context.db.transaction(async (queries) => {
    const order = await lockOrder(queries, attempt.orderId);
    const gatewayId = 'gatewayId' in answered ? answered.gatewayId : undefined;
    const { attempt: present, isTaken } = await findAttemptAndConflict(queries, attempt.id, gatewayId);
    if (!present) throw new Error('no such attempt');
    if (isWritten(order, present, answered)) return { order, late: false };
    // A response with the id of another attempt proves nothing about this one.
    const kind = attempt.flow === 'card' ? 'unknown' : 'failed';
    const outcome: Outcome = isTaken ? { kind, reason: 'id_in_use' } : answered;
    const isAwaited = present.state === 'creating' && order.state !== 'paid' && order.state !== 'review';
    const late = !isAwaited || isTaken;
    const detail = { attempt: attempt.ordinal, late, ...detailOf(outcome) };
    const applied = await applyTransition(queries, context, {
      order,
      attempt: present,
      event: { type: EVENT_TYPES[outcome.kind] },
      at,
      // A late response does not overwrite a stored gateway id.
      patch:
        present.gatewayId === null ? { ...patchOf(outcome), nextCheckAt: at + FIRST_LOOKUP_MS } : undefined,
      history: { kind: `attempt_${outcome.kind}`, detail },
    });
    return { order: applied.order, late, applied };
  });
}

const EVENT_TYPES = {
  opened: 'opened',
  failed: 'start_failed',
  declined: 'start_declined',
  unknown: 'answer_lost',
} as const satisfies Record<Outcome['kind'], PaymentEvent['type']>;

function detailOf(outcome: Outcome): Readonly<Record<string, string>> {
  if (outcome.kind === 'declined') return { gatewayStatus: outcome.gatewayStatus };
  return 'reason' in outcome ? { reason: outcome.reason } : {};
}

function isWritten(order: Order, present: Attempt, answered: Outcome): boolean {
  if (answered.kind === 'declined')
    return present.state === 'declined' && present.gatewayStatus === answered.gatewayStatus;
  const isOpen = order.state === 'pending' && present.state === 'open';
  return isOpen && answered.kind === 'opened' && answered.gatewayId === present.gatewayId;
}

/** Returns the columns that an outcome sets. The attempt has none of them yet. */
function patchOf(outcome: Outcome): AttemptPatch {
  switch (outcome.kind) {
    case 'opened': {
      const { gatewayId, url = null, gatewayStatus = null } = outcome;
      return { gatewayId, redirectUrl: url, gatewayStatus };
    }
    case 'failed':
      return { gatewayId: outcome.gatewayId ?? null };
    case 'declined':
      return { gatewayStatus: outcome.gatewayStatus };
    case 'unknown':
      return {};
  }
}

/** Maximum time to retry storing a gateway response while the database has a transient fault. */
const RETRY_FOR_MS = 6_000;
const RETRY_PAUSE_MS = 100;

/**
 * Runs a transaction that stores a gateway response. Retries transient database faults every 100 ms for up to 6 s, and
 * calls `onRetry` with the name of each. Throws what the last try throws.
 */
export async function retryWrite<T>(write: () => Promise<T>, onRetry: (reason: string) => void): Promise<T> {
  const endsAt = performance.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isTransientError(error) || performance.now() > endsAt) throw error;
      onRetry(errorName(error));
    }
    await delay(RETRY_PAUSE_MS);
  }
}
