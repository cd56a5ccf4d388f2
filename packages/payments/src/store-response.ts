import { type Applied, applyTransition } from './apply-transition.js';
import type { PaymentContext } from './context.js';
import { GatewayError } from './gateway/errors.js';
import { REQUEST_WAIT_MS } from './lease-times.js';
import { reportChange } from './report-change.js';
import { retryWrite, untilWritten, waitFor } from './retry-write.js';
import type { Attempt, GatewayAttempt } from './rules/attempt.js';
import { errorName } from './rules/error-name.js';
import type { Trigger } from './rules/lookup.js';
import type { PaymentFlow } from './rules/order.js';
import { PaymentError } from './rules/payment-error.js';
import type { PaymentEvent } from './rules/transition.js';
import { type AttemptPatch, findAttemptAndConflict } from './store/attempts.js';
import { lockOrder, type Order } from './store/orders.js';

/** Delay before the worker's first lookup. Most customers return and verify the attempt earlier. */
const FIRST_LOOKUP_MS = 20_000;

type AnswerColumns = Pick<
  AttemptPatch,
  'gatewayId' | 'redirectUrl' | 'gatewayStatus' | 'offerEndsAt' | 'transactionId' | 'paymentId' | 'provider'
>;

/** Result of the call that starts an attempt, with the columns that it sets. */
export interface Outcome extends AnswerColumns {
  readonly kind: 'opened' | 'failed' | 'declined' | 'unknown';
  /** Why the attempt failed, why its outcome is unknown, or why the customer cannot get to the bank's page. */
  readonly reason?: string;
  /** Origin of a hosted page that the settings do not allow. */
  readonly origin?: string;
}

interface StoredResponse {
  readonly order: Order;
  readonly isUsable: boolean;
  /** The gateway offers the page of the attempt, whether or not it is usable. */
  readonly isOffered: boolean;
  /** Absent: nothing changed. */
  readonly applied?: Applied | undefined;
}

/**
 * Stores the gateway's response in one transaction, with the retries of {@link retryWrite}. Returns `undefined` after 6 s: the
 * retries go on, and the order page shows that the payment is being confirmed. A response is not usable if the attempt or
 * order changed meanwhile, or if it names the id of another attempt. Throws if the attempt does not exist or the database
 * fails.
 */
export async function storeResponse(
  context: PaymentContext,
  attempt: GatewayAttempt,
  received: Outcome,
): Promise<StoredResponse | undefined> {
  const { log } = context;
  const onRetry = (reason: string) => log.warn('attempt.outcome_retried', { attempt: attempt.id, reason });
  const tries: Applied[] = [];
  const writing = retryWrite(context, () => write(context, attempt, { received, tries }), onRetry);
  const reporting = writing.then(
    async ({ isOffered, applied }) => {
      await reportChange(context, applied);
      if (isOffered) await extendOffer(context, attempt, received, onRetry);
    },
    (error: unknown) =>
      log.error('attempt.outcome_unstored', { attempt: attempt.id, kind: received.kind, reason: errorName(error) }),
  );
  const endsAt = performance.now() + REQUEST_WAIT_MS;
  const stored = await untilWritten(writing);
  await waitFor(reporting, Math.max(0, endsAt - performance.now()));
  return stored;
}

/**
 * Stores that the gateway call failed, and throws the error. A `GatewayError` becomes a {@link PaymentError}: `payment_refused`
 * for refusals and unusable responses, otherwise `gateway_unavailable`. Call it only for a try that charged nothing.
 */
export async function storeFailureAndThrow(
  context: PaymentContext,
  attempt: GatewayAttempt,
  error: unknown,
): Promise<never> {
  const code = error instanceof GatewayError ? error.code : undefined;
  await storeResponse(context, attempt, { kind: 'failed', reason: code ?? 'unexpected' });
  if (code === undefined) throw error;
  const isRefused = code === 'refused' || code === 'conflict' || code === 'not_found' || code === 'bad_answer';
  throw new PaymentError(isRefused ? 'payment_refused' : 'gateway_unavailable', { cause: error });
}

interface Answer {
  readonly received: Outcome;
  /** What each try changed. The commit of a try may succeed although its confirmation is lost. */
  readonly tries: Applied[];
}

function write(context: PaymentContext, attempt: GatewayAttempt, { received, tries }: Answer): Promise<StoredResponse> {
  const at = context.clock.now();
  return context.db.transaction(async (queries) => {
    const order = await lockOrder(queries, attempt.orderId);
    const gatewayId = received.gatewayId ?? undefined;
    const { attempt: present, isTaken } = await findAttemptAndConflict(queries, attempt.id, gatewayId);
    if (!present) throw new Error('no such attempt');
    // An earlier try stored it, although its connection failed.
    if (isWritten(order, present, received))
      return { order, isUsable: true, isOffered: received.kind === 'opened', applied: tries.at(-1) };
    // A response with the id of another attempt proves nothing about this one.
    const unproven = { kind: attempt.flow === 'card' ? 'unknown' : 'failed', reason: 'id_in_use' } as const;
    const { kind, reason, origin, ...columns }: Outcome = isTaken ? unproven : received;
    const isClosed = order.state === 'paid' || order.state === 'review';
    const isUsable = !isTaken && !isClosed && present.state === 'creating';
    const gatewayStatus = kind === 'declined' ? columns.gatewayStatus : undefined;
    const detail = { attempt: attempt.ordinal, late: !isUsable, reason, gatewayStatus, origin };
    const applied = await applyTransition(queries, context, {
      order,
      attempt: present,
      event: { type: EVENT_TYPES[kind] },
      trigger: FLOW_TRIGGERS[attempt.flow],
      at,
      patch: patchOf(present, columns, at),
      history: { kind: `attempt_${kind}`, detail },
      isAnswer: true,
    });
    if (applied.change) tries.push(applied);
    return { order: applied.order, isUsable, isOffered: kind === 'opened', applied: tries.at(-1) };
  });
}

/**
 * Reports to the host that the gateway offers the first page for longer than asked for, with the retries of {@link retryWrite}.
 * Later pages set nothing aside. The answer is stored already, so the last fault is logged only.
 */
async function extendOffer(
  context: PaymentContext,
  { id, orderId, ordinal, offerEndsAt: asked }: Attempt,
  { offerEndsAt = asked }: Outcome,
  onRetry: (reason: string) => void,
): Promise<void> {
  if (ordinal > 1 || offerEndsAt <= asked) return;
  const { db, host, log } = context;
  const extend = () =>
    db.transaction(async (tx) => host.offerExtended(tx, await lockOrder(tx, orderId), offerEndsAt - asked));
  await retryWrite(context, extend, onRetry).catch((error: unknown) =>
    log.error('offer.extend_failed', { attempt: id, reason: errorName(error) }),
  );
}

/** A late response does not overwrite a stored gateway id. */
function patchOf(present: Attempt, columns: AnswerColumns, at: number): AttemptPatch | undefined {
  if (present.gatewayId !== null) return undefined;
  const idSource = columns.gatewayId ? ({ idSource: 'answer' } as const) : {};
  return { ...columns, ...idSource, nextCheckAt: at + FIRST_LOOKUP_MS };
}

const FLOW_TRIGGERS = { hosted: 'checkout', card: 'card_answer' } as const satisfies Record<PaymentFlow, Trigger>;

const EVENT_TYPES = {
  opened: 'opened',
  failed: 'start_failed',
  declined: 'start_declined',
  unknown: 'answer_lost',
} as const satisfies Record<Outcome['kind'], PaymentEvent['type']>;

function isWritten(order: Order, present: Attempt, { kind, gatewayId, gatewayStatus }: Outcome): boolean {
  if (kind === 'declined') return present.state === kind && present.gatewayStatus === gatewayStatus;
  const isOpen = order.state === 'pending' && present.state === 'open';
  return isOpen && kind === 'opened' && present.gatewayId === gatewayId;
}
