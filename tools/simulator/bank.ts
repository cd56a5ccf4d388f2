/** Applies the bank's answer to the payment or session that waits for it. */
import { settleAttempt } from './hosted-payment.js';
import type { Challenge } from './model.js';
import { answerPayment, findPayment } from './payments.js';
import { findSession, withQuery } from './sessions.js';
import type { World } from './world.js';

/** Returns the challenge; an overdue one expires now. */
export function findChallenge(world: World, id: string): Challenge | undefined {
  const challenge = world.challenges.get(id);
  if (challenge === undefined) return undefined;
  // Reading the owner expires an overdue challenge.
  if (challenge.owner.kind === 'session') findSession(world, challenge.owner.id);
  else findPayment(world, challenge.owner.id);
  return world.challenges.get(id);
}

/** Answers an open challenge; later answers change nothing. */
export function answerChallenge(world: World, id: string, approved: boolean): Challenge | undefined {
  const challenge = findChallenge(world, id);
  if (challenge?.answer !== 'open') return challenge;
  const answered = world.challenges.save({ ...challenge, answer: approved ? 'approved' : 'refused' });
  const { owner, paymentId } = challenge;
  if (owner.kind === 'session') {
    const session = findSession(world, owner.id);
    if (session !== undefined) settleAttempt(world, session, { paymentId, approved });
  } else {
    const payment = findPayment(world, owner.id);
    if (payment !== undefined) answerPayment(world, payment, approved);
  }
  return answered;
}

/** Where the bank sends the browser afterwards: the shop, or back to the hosted page. */
export function addressAfterBank(world: World, challenge: Challenge): string {
  if (challenge.owner.kind === 'session') return `${world.url}/checkout/${challenge.owner.id}/back`;
  const returnUrl = world.payments.get(challenge.owner.id)?.returnUrl ?? world.url;
  return bankReturn(world, returnUrl, challenge.paymentId);
}

/** Only the public material shows a parameter on the way back from the bank. */
export function bankReturn(world: World, returnUrl: string, paymentId: number): string {
  if (world.settings.profile === 'interface') return returnUrl;
  return withQuery(returnUrl, 'tndr_payment_id', String(paymentId));
}
