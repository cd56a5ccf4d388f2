/** The purchases that the bank asks its customer to confirm. */
import type { CardSummary, Challenge } from './model.js';
import { answerPayment, findPayment } from './payments.js';
import { bankReturnUrl } from './redirects.js';
import { answerSession, findSession } from './sessions.js';
import type { SimulatorState } from './state.js';

/** A purchase with its challenge. */
export interface Purchase {
  readonly challenge: Challenge;
  readonly state: 'open' | 'expired' | 'answered';
  readonly amountMinor: number;
  readonly returnUrl: string | undefined;
  readonly card: CardSummary;
  /** The address after the bank's page: the shop, or the hosted page. */
  readonly redirectTo: string;
  /** Applies the bank's answer. Answers to a purchase that is not open change nothing. */
  answer(approved: boolean): void;
}

/** Returns the purchase with this challenge; an overdue one expires now. */
export function findPurchase(state: SimulatorState, challengeId: string): Purchase | undefined {
  return cardPurchase(state, challengeId) ?? hostedPurchase(state, challengeId);
}

function cardPurchase(state: SimulatorState, challengeId: string): Purchase | undefined {
  const id = state.payments.all().find(({ challenge }) => challenge?.id === challengeId)?.id ?? '';
  const payment = findPayment(state, id);
  if (payment?.challenge === undefined) return undefined;
  const { challenge, status, amountMinor, returnUrl, card, paymentId } = payment;
  return {
    challenge,
    state: stateOf(status),
    amountMinor,
    returnUrl,
    card,
    redirectTo: bankReturnUrl(state, returnUrl, paymentId),
    answer: (approved) => answerPayment(state, id, approved),
  };
}

function hostedPurchase(state: SimulatorState, challengeId: string): Purchase | undefined {
  const hasChallenge = ({ challenge }: { challenge?: Challenge | undefined }) =>
    challenge?.id === challengeId;
  const id = state.sessions.all().find(({ attempts }) => attempts.some(hasChallenge))?.id ?? '';
  const session = findSession(state, id);
  const attempt = session?.attempts.find(hasChallenge);
  if (session === undefined || attempt?.challenge === undefined) return undefined;
  const { return_url, success_url, amount_total } = session.request;
  return {
    challenge: attempt.challenge,
    state: session.status === 'pending' ? stateOf(attempt.status) : 'answered',
    amountMinor: amount_total,
    returnUrl: return_url ?? success_url,
    card: attempt.card,
    redirectTo: `${state.url}/checkout/${id}/back`,
    answer: (approved) => answerSession(state, id, { paymentId: attempt.paymentId, approved }),
  };
}

function stateOf(status: string): Purchase['state'] {
  if (status.toLowerCase() === 'pending') return 'open';
  return status.toLowerCase() === 'expired' ? 'expired' : 'answered';
}
