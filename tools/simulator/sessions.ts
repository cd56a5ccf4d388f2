/** Checkout sessions (interface, sections 2.4 and 3.1). */
import { randomBytes } from 'node:crypto';
import { closeIfLate } from './challenges.js';
import { announceAttempt, announceSession } from './events.js';
import type { Attempt, Session, SessionRequest } from './model.js';
import { defaultExpiry } from './request-rules.js';
import type { World } from './world.js';

const sameKeyWindowMs = 5_000;
const merchantNumber = 11;

/** Creates a session, or returns the one that the same key created less than 5 s ago. */
export function createSession(world: World, request: SessionRequest, key: string | undefined): Session {
  const earlier = key === undefined ? undefined : world.sessions.get(world.sessionKeys.get(key) ?? '');
  if (earlier !== undefined && world.now() - earlier.createdAt < sameKeyWindowMs) return earlier;
  const paymentId = world.nextNumber();
  const now = world.now();
  const session = world.sessions.save({
    id: `cs_${merchantNumber}_${paymentId}_${randomBytes(24).toString('hex')}`,
    request,
    status: 'pending',
    transactionStatus: 'Pending',
    paymentId,
    expiresAt: request.expires_at ?? defaultExpiry(now),
    createdAt: now,
    modifiedAt: now,
    paidAt: null,
    attempts: [],
    ...(key === undefined ? {} : { idempotencyKey: key }),
  });
  if (key !== undefined) world.sessionKeys.set(key, session.id);
  announceSession(world, 'session.created', session);
  return session;
}

/** Returns the session; an overdue session or challenge expires now. */
export function findSession(world: World, id: string): Session | undefined {
  const session = world.sessions.get(id);
  if (session === undefined || session.status !== 'pending') return session;
  if (session.expiresAt * 1000 <= world.now()) return expireSession(world, session);
  return expireLateAttempts(world, session);
}

/** Expires the session and sends its webhook event. */
export function expireSession(world: World, session: Session): Session {
  const expired = change(world, session, { status: 'expired', transactionStatus: 'Expired' });
  announceSession(world, 'session.expired', expired);
  return expired;
}

/** The customer cancelled on the hosted page. */
export function cancelSession(world: World, session: Session): Session {
  return session.status === 'pending' ? change(world, session, { status: 'cancelled' }) : session;
}

/** Stores an attempt, new or with a known payment number, and updates the session. */
export function recordAttempt(world: World, session: Session, attempt: Attempt): Session {
  const others = session.attempts.filter(({ paymentId }) => paymentId !== attempt.paymentId);
  const changed = change(world, session, {
    attempts: [...others, attempt],
    paymentId: attempt.paymentId,
    transactionStatus: attempt.status,
  });
  announceAttempt(world, changed, attempt);
  return attempt.status === 'Success' ? complete(world, changed) : changed;
}

/** Sets any state; `completed` with `Success` is also a charge. */
export function forceSession(
  world: World,
  session: Session,
  state: Pick<Session, 'status' | 'transactionStatus'>,
) {
  if (state.status === 'completed' && state.transactionStatus === 'Success') return complete(world, session);
  const forced = change(world, session, state);
  if (state.status === 'expired') announceSession(world, 'session.expired', forced);
  return forced;
}

/** The redirect after paying, with the session's id. */
export function successAddress(session: Session): string {
  const { success_url, return_url } = session.request;
  return withQuery(success_url ?? return_url ?? '', 'session_id', session.id);
}

/** The redirect without payment; absent when the session has a `success_url` only. */
export function returnAddress(session: Session): string | undefined {
  const { return_url } = session.request;
  return return_url === undefined ? undefined : withQuery(return_url, 'session_id', session.id);
}

/** Adds a query parameter and leaves the others unchanged. */
export function withQuery(address: string, name: string, value: string): string {
  const url = new URL(address);
  const addition = `${name}=${encodeURIComponent(value)}`;
  url.search = url.search === '' ? addition : `${url.search}&${addition}`;
  return url.href;
}

/** Writes the ledger first, so that a crash loses the webhook and never the charge. */
function complete(world: World, session: Session): Session {
  const { amount_total, currency, external_id } = session.request;
  world.ledger.charge({
    kind: 'session',
    id: session.id,
    paymentId: session.paymentId,
    amountMinor: amount_total,
    currency,
    reference: external_id ?? null,
    at: world.now(),
  });
  const paid = change(world, session, {
    status: 'completed',
    transactionStatus: 'Success',
    paidAt: session.paidAt ?? world.now(),
  });
  announceSession(world, 'session.completed', paid);
  return paid;
}

function expireLateAttempts(world: World, session: Session): Session {
  const late = session.attempts.find(
    ({ status, challengeId }) =>
      status === 'Pending' && challengeId !== undefined && closeIfLate(world, challengeId),
  );
  if (late === undefined) return session;
  return expireLateAttempts(world, recordAttempt(world, session, { ...late, status: 'Expired' }));
}

function change(world: World, session: Session, patch: Partial<Session>): Session {
  return world.sessions.save({ ...session, ...patch, modifiedAt: world.now() });
}
