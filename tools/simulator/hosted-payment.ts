/** Payments on the hosted page. */
import { bankAddress, openChallenge } from './challenges.js';
import type { Attempt, CardFace, Session } from './model.js';
import { findSession, recordAttempt, successAddress } from './sessions.js';
import { type CardResult, declineAfterChallenge, resultOf } from './test-cards.js';
import type { World } from './world.js';

/** The outcome of one attempt on the hosted page. */
export type SessionOutcome =
  | { readonly kind: 'paid'; readonly redirectTo: string }
  | { readonly kind: 'declined'; readonly code: string; readonly reason: string }
  | { readonly kind: 'challenge'; readonly challengeId: string; readonly url: string }
  /** A processing error: nothing is stored of it. */
  | { readonly kind: 'error' }
  /** The session had ended already, in this state. */
  | { readonly kind: 'closed'; readonly status: string };

/** Tries to pay the session with this card. */
export function paySession(world: World, id: string, card: CardFace): SessionOutcome | undefined {
  const session = findSession(world, id);
  if (session === undefined) return undefined;
  if (session.status !== 'pending') return { kind: 'closed', status: session.status };
  const result = resultOf(card.outcome);
  if (result.kind === 'error') return { kind: 'error' };
  return present(world, session, { result, card });
}

/** Applies the bank's answer to the attempt that waits for it. */
export function settleAttempt(world: World, session: Session, answer: BankAnswer): SessionOutcome {
  const attempt = session.attempts.find(({ paymentId }) => paymentId === answer.paymentId);
  if (attempt === undefined || session.status !== 'pending')
    return { kind: 'closed', status: session.status };
  const decline = declineAfterChallenge(attempt.card.outcome, answer.approved);
  return finish(
    world,
    session,
    decline === undefined ? { ...attempt, status: 'Success' } : { ...attempt, status: 'Declined', decline },
  );
}

interface BankAnswer {
  readonly paymentId: number;
  readonly approved: boolean;
}

interface Presented {
  readonly result: Exclude<CardResult, { kind: 'error' }>;
  readonly card: CardFace;
}

function present(world: World, session: Session, { result, card }: Presented): SessionOutcome {
  const attempt = { paymentId: nextPaymentId(world, session), card, at: world.now() };
  switch (result.kind) {
    case 'paid':
      return finish(world, session, { ...attempt, status: 'Success' });
    case 'declined':
      return finish(world, session, { ...attempt, status: 'Declined', decline: result.decline });
    case 'challenge': {
      const { id } = openChallenge(world, { kind: 'session', id: session.id }, attempt.paymentId);
      recordAttempt(world, session, { ...attempt, status: 'Pending', challengeId: id });
      return { kind: 'challenge', challengeId: id, url: bankAddress(world, id) };
    }
  }
}

function finish(world: World, session: Session, attempt: Attempt): SessionOutcome {
  const after = recordAttempt(world, session, attempt);
  if (attempt.decline !== undefined) return { kind: 'declined', ...attempt.decline };
  return { kind: 'paid', redirectTo: successAddress(after) };
}

/** The first attempt has the session's payment number; each later one gets its own. */
function nextPaymentId(world: World, session: Session): number {
  return session.attempts.length === 0 ? session.paymentId : world.nextNumber();
}
