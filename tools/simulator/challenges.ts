/** The bank's 3D Secure challenges. They expire after 30 minutes. */
import { randomBytes } from 'node:crypto';
import type { Challenge } from './model.js';
import type { SimulatorState } from './state.js';

const ttlMs = 30 * 60_000;

export function openChallenge(
  state: SimulatorState,
  owner: Challenge['owner'],
  paymentId: number,
): Challenge {
  const id = randomBytes(18).toString('base64url');
  return state.challenges.save({ id, owner, paymentId, expiresAt: state.now() + ttlMs, answer: 'open' });
}

export function bankUrl(state: SimulatorState, challengeId: string): string {
  return `${state.url}/bank/${challengeId}`;
}

/** Expires an open challenge that is overdue; returns whether it did. */
export function expireIfOverdue(state: SimulatorState, challengeId: string): boolean {
  const challenge = state.challenges.get(challengeId);
  if (challenge?.answer !== 'open' || challenge.expiresAt > state.now()) return false;
  state.challenges.save({ ...challenge, answer: 'expired' });
  return true;
}
