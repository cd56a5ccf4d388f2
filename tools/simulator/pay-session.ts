/** Payments on the hosted page. */
import { bankUrl, openChallenge } from './challenges.js';
import type { Attempt, CardSummary, Session } from './model.js';
import { findSession, recordAttempt, successRedirect } from './sessions.js';
import type { SimulatorState } from './state.js';
import { declineAfterChallenge, results } from './test-cards.js';

/** The outcome of one attempt on the hosted page. */
export type SessionOutcome =
  | { readonly kind: 'paid'; readonly redirectTo: string }
  | { readonly kind: 'declined'; readonly code: string; readonly reason: string }
  | { readonly kind: 'challenge'; readonly challengeId: string; readonly url: string }
  /** A processing error. It leaves no record. */
  | { readonly kind: 'error' }
  /** The session had ended before, with this status. */
  | { readonly kind: 'closed'; readonly status: string };

/** Tries to pay the session with this card. */
export function paySession(state: SimulatorState, session: Session, card: CardSummary): SessionOutcome {
  if (session.status !== 'pending') return { kind: 'closed', status: session.status };
  const result = results[card.outcome];
  if (result.kind === 'error') return { kind: 'error' };
  // The first attempt has the session's payment number; each later one gets its own.
  const paymentId = session.attempts.length === 0 ? session.paymentId : state.nextNumber();
  const attempt = { paymentId, card, at: state.now() };
  switch (result.kind) {
    case 'paid':
      return finishAttempt(state, session, { ...attempt, status: 'Success' });
    case 'declined':
      return finishAttempt(state, session, { ...attempt, status: 'Declined', decline: result.decline });
    case 'challenge': {
      const { id: challengeId } = openChallenge(state, { kind: 'session', id: session.id }, paymentId);
      recordAttempt(state, session, { ...attempt, status: 'Pending', challengeId });
      return { kind: 'challenge', challengeId, url: bankUrl(state, challengeId) };
    }
  }
}

interface BankAnswer {
  readonly paymentId: number;
  readonly approved: boolean;
}

/** Applies the bank's answer to an attempt. A session that is not pending is unchanged. */
export function answerSessionChallenge(state: SimulatorState, id: string, answer: BankAnswer): void {
  const session = findSession(state, id);
  const attempt = session?.attempts.find(({ paymentId }) => paymentId === answer.paymentId);
  if (session?.status !== 'pending' || attempt === undefined) return;
  const decline = declineAfterChallenge(attempt.card.outcome, answer.approved);
  recordAttempt(state, session, { ...attempt, status: decline ? 'Declined' : 'Success', decline });
}

function finishAttempt(state: SimulatorState, session: Session, attempt: Attempt): SessionOutcome {
  const updated = recordAttempt(state, session, attempt);
  if (attempt.decline !== undefined) return { kind: 'declined', ...attempt.decline };
  return { kind: 'paid', redirectTo: successRedirect(updated) };
}
