import type { Challenge } from './model.js';
import { answerPaymentChallenge, findPayment } from './payments.js';
import { addQueryParameter, answerSessionChallenge, findSession } from './sessions.js';
import type { SimulatorState } from './state.js';

/** Returns the challenge. Expires it if it is overdue. */
export function findChallenge(state: SimulatorState, id: string): Challenge | undefined {
  const owner = state.challenges.get(id)?.owner;
  // Reading the owner expires an overdue challenge.
  if (owner?.kind === 'session') findSession(state, owner.id);
  if (owner?.kind === 'payment') findPayment(state, owner.id);
  return state.challenges.get(id);
}

/** Answers an open challenge; later answers change nothing. */
export function answerChallenge(state: SimulatorState, id: string, approved: boolean): void {
  const challenge = findChallenge(state, id);
  if (challenge?.answer !== 'open') return;
  state.challenges.save({ ...challenge, answer: approved ? 'approved' : 'refused' });
  const { owner, paymentId } = challenge;
  if (owner.kind === 'session') answerSessionChallenge(state, owner.id, { paymentId, approved });
  else answerPaymentChallenge(state, owner.id, approved);
}

/** Returns the redirect after the bank's page: to the shop, or back to the hosted page. */
export function redirectAfterBank(state: SimulatorState, challenge: Challenge): string {
  if (challenge.owner.kind === 'session') return `${state.url}/checkout/${challenge.owner.id}/back`;
  const returnUrl = state.payments.get(challenge.owner.id)?.returnUrl ?? state.url;
  return bankReturnUrl(state, returnUrl, challenge.paymentId);
}

/** Only the public material shows a parameter in the redirect from the bank to the shop. */
export function bankReturnUrl(state: SimulatorState, returnUrl: string, paymentId: number): string {
  if (state.settings.profile === 'interface') return returnUrl;
  return addQueryParameter(returnUrl, 'tndr_payment_id', String(paymentId));
}
