/** Checkout sessions (interface, sections 2.4 and 3.1). */
import { ApiError, keyConflict } from './api-error.js';
import { type CardResult, isOverdue, presentCard, resultOfAnswer } from './challenges.js';
import type { Attempt, CardSummary, Session } from './model.js';
import { bankUrl, successRedirect } from './redirects.js';
import { expiryOf, type SessionRequest } from './request-schemas.js';
import type { SimulatorState } from './state.js';
import { emitAttemptEvent, emitSessionEvent } from './webhook-events.js';

const idempotencyWindowMs = 5_000;
/** Tolerance for the time between sending and arrival. The interface has none. */
const expiryToleranceSeconds = 5;
const merchantNumber = 11;

/**
 * Returns a new session, or the one that the same key and body created less than 5 s ago, but not in the profile `minimal`.
 * Throws if the key had another body, or the reference is used.
 */
export function createSession(
  state: SimulatorState,
  request: SessionRequest,
  { key, fingerprint }: { readonly key: string | undefined; readonly fingerprint: string },
): Session {
  const now = state.now();
  const isMinimal = state.settings.profile === 'minimal';
  const isRepeated = ({ idempotencyKey, createdAt }: Session) =>
    idempotencyKey === key && now - createdAt < idempotencyWindowMs;
  const sessions = state.sessions.all();
  const previous = key === undefined ? undefined : sessions.findLast(isRepeated);
  if (previous !== undefined && previous.fingerprint !== fingerprint) throw keyConflict('x-idempotency-key');
  if (previous !== undefined && !isMinimal) return previous;
  const reference = state.settings.profile === 'public-docs' ? undefined : request.external_id;
  if (reference !== undefined && sessions.some((session) => session.request.external_id === reference))
    throw new ApiError(409, 'conflict', 'This external_id was used.', { external_id: 'must be unique' });
  const paymentId = state.nextNumber();
  const session = state.sessions.save({
    id: `cs_${merchantNumber}_${paymentId}_${state.random(24).toString('hex')}`,
    request,
    status: 'pending',
    transactionStatus: 'Pending',
    paymentId,
    expiresAt: expiryOf(request, now, isMinimal ? 0 : expiryToleranceSeconds),
    createdAt: now,
    modifiedAt: now,
    paidAt: null,
    attempts: [],
    idempotencyKey: key,
    fingerprint,
  });
  emitSessionEvent(state, 'session.created', session);
  return session;
}

/** Returns the session. Expires it, or its challenge, if it is overdue. With late payments it is paid instead. */
export function findSession(state: SimulatorState, id: string): Session | undefined {
  const session = state.sessions.get(id);
  if (session?.status !== 'pending') return session;
  const lateMs = state.settings.latePaymentMinutes * 60_000;
  const endsAt = session.expiresAt * 1000 + lateMs;
  if (endsAt > state.now()) return expireOverdueAttempts(state, session);
  return lateMs > 0 ? recordPaid(state, session, endsAt) : expireSession(state, session);
}

export function expireSession(state: SimulatorState, session: Session): Session {
  const expired = update(state, session, { status: 'expired', transactionStatus: 'Expired' });
  emitSessionEvent(state, 'session.expired', expired);
  return expired;
}

export function cancelSession(state: SimulatorState, session: Session): Session {
  return session.status === 'pending' ? update(state, session, { status: 'cancelled' }) : session;
}

/** Stores a new attempt, or replaces the one with its payment number, and updates the session. */
function recordAttempt(state: SimulatorState, session: Session, attempt: Attempt): Session {
  const others = session.attempts.filter(({ paymentId }) => paymentId !== attempt.paymentId);
  const updated = update(state, session, {
    attempts: [...others, attempt],
    paymentId: attempt.paymentId,
    transactionStatus: attempt.status,
  });
  emitAttemptEvent(state, updated, attempt);
  return attempt.status === 'Success' ? completeSession(state, updated) : updated;
}

export type SessionOutcome =
  | { readonly kind: 'paid' | 'challenge'; readonly redirectTo: string }
  /** `error` leaves no record. `closed`: the session had ended before. */
  | { readonly kind: 'declined' | 'error' | 'closed' };

const attemptStatuses = {
  success: 'Success',
  authorized: 'Success',
  declined: 'Declined',
  pending: 'Pending',
} as const satisfies Record<CardResult['status'], Attempt['status']>;

export function paySession(state: SimulatorState, session: Session, card: CardSummary): SessionOutcome {
  if (session.status !== 'pending') return { kind: 'closed' };
  const result = presentCard(state, card);
  if (result === undefined) return { kind: 'error' };
  // The first attempt has the session's payment number; each later one gets its own.
  const paymentId = session.attempts.length === 0 ? session.paymentId : state.nextNumber();
  const status = attemptStatuses[result.status];
  const attempt = { ...result, paymentId, card, at: state.now(), status };
  const updated = recordAttempt(state, session, attempt);
  if (result.challenge) return { kind: 'challenge', redirectTo: bankUrl(state, result.challenge) };
  return status === 'Success' ? { kind: 'paid', redirectTo: successRedirect(updated) } : { kind: 'declined' };
}

/** Applies the bank's answer to an attempt. A session or attempt that is not pending is unchanged. */
export function answerSession(state: SimulatorState, id: string, paymentId: number, approved: boolean): void {
  const session = findSession(state, id);
  const attempt = session?.attempts.find((each) => each.paymentId === paymentId);
  if (session?.status !== 'pending' || attempt?.status !== 'Pending') return;
  const { status, decline } = resultOfAnswer(attempt.card, approved);
  recordAttempt(state, session, { ...attempt, status: attemptStatuses[status], decline });
}

export function completeSession(state: SimulatorState, session: Session): Session {
  const paid = recordPaid(state, session, session.paidAt ?? state.now());
  emitSessionEvent(state, 'session.completed', paid);
  return paid;
}

/** Writes the ledger first, so that a crash loses the webhook and never the charge. */
function recordPaid(state: SimulatorState, session: Session, paidAt: number): Session {
  const { id, paymentId } = session;
  const { amount_total: amountMinor, currency, external_id: reference = null } = session.request;
  state.charge({ kind: 'session', id, paymentId, amountMinor, currency, reference });
  return update(state, session, { status: 'completed', transactionStatus: 'Success', paidAt });
}

function expireOverdueAttempts(state: SimulatorState, session: Session): Session {
  return session.attempts
    .filter(({ status, challenge }) => status === 'Pending' && isOverdue(state, challenge))
    .reduce((updated, attempt) => recordAttempt(state, updated, { ...attempt, status: 'Expired' }), session);
}

function update(state: SimulatorState, session: Session, patch: Partial<Session>): Session {
  return state.sessions.save({ ...session, ...patch, modifiedAt: state.now() });
}
