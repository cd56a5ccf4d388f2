/** What happens when a card is presented, and the bank's 3D Secure challenges, which expire after 30 minutes. */
import type { CardSummary, Challenge, Decline } from './model.js';
import type { SimulatorState } from './state.js';
import { declinedByBank, outcomes } from './test-cards.js';

const ttlMs = 30 * 60_000;

/** `pending` has a challenge, `declined` has a decline. */
export interface CardResult {
  readonly status: 'success' | 'authorized' | 'declined' | 'pending';
  readonly decline?: Decline | undefined;
  readonly challenge?: Challenge | undefined;
}

/** Returns `undefined` for a processing error, which leaves no record. */
export function presentCard(state: SimulatorState, card: CardSummary): CardResult | undefined {
  const { status, decline } = outcomes[card.outcome];
  if (status === 'error') return undefined;
  if (status !== 'pending') return { status, decline };
  return { status, challenge: { id: state.random(18).toString('base64url'), expiresAt: state.now() + ttlMs } };
}

/** Returns the result after the bank's answer. */
export function resultOfAnswer({ outcome }: CardSummary, approved: boolean): CardResult {
  if (!approved) return { status: 'declined', decline: { code: 'AH04', reason: '3D Secure authentication failed' } };
  return outcome === 'challenge_declined' ? { status: 'declined', decline: declinedByBank } : { status: 'success' };
}

/** Returns whether the time of the challenge is over. */
export function isOverdue(state: SimulatorState, challenge: Challenge | undefined): boolean {
  return challenge !== undefined && challenge.expiresAt <= state.now();
}
