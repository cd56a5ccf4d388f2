/** The bank's 3D Secure challenges. They expire after 30 minutes. */
import { randomBytes } from 'node:crypto';
import type { Challenge } from './model.js';
import type { World } from './world.js';

const lifeMs = 30 * 60_000;

/** Creates a challenge for a session or payment. */
export function openChallenge(world: World, owner: Challenge['owner'], paymentId: number): Challenge {
  const id = randomBytes(18).toString('base64url');
  return world.challenges.save({ id, owner, paymentId, expiresAt: world.now() + lifeMs, answer: 'open' });
}

/** Returns the URL of the bank's page. */
export function bankAddress(world: World, challengeId: string): string {
  return `${world.url}/bank/${challengeId}`;
}

/** Expires an open challenge that is overdue; returns whether it did. */
export function closeIfLate(world: World, challengeId: string): boolean {
  const challenge = world.challenges.get(challengeId);
  if (challenge === undefined || challenge.answer !== 'open') return false;
  if (challenge.expiresAt > world.now()) return false;
  world.challenges.save({ ...challenge, answer: 'expired' });
  return true;
}
