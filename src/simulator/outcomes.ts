/** What a card's outcome means for a payment, before and after the bank's question. */
import type { CardOutcome, Decline } from './model.js';

export type Verdict =
  | { readonly kind: 'paid'; readonly status: 'success' | 'authorized' }
  | { readonly kind: 'declined'; readonly decline: Decline }
  | { readonly kind: 'challenge' }
  | { readonly kind: 'error' };

const declinedByBank: Decline = { code: 'BH01', reason: 'Declined by the bank' };

const first: Readonly<Record<CardOutcome, Verdict>> = {
  success: { kind: 'paid', status: 'success' },
  authorized: { kind: 'paid', status: 'authorized' },
  declined: { kind: 'declined', decline: declinedByBank },
  insufficient_funds: { kind: 'declined', decline: { code: 'CH01', reason: 'Insufficient funds' } },
  challenge: { kind: 'challenge' },
  challenge_declined: { kind: 'challenge' },
  processing_error: { kind: 'error' },
};

/** What happens when the card is presented. */
export function verdictOn(outcome: CardOutcome): Verdict {
  return first[outcome];
}

/** What is wrong after the bank's question was answered; nothing means paid. */
export function declineAfterChallenge(outcome: CardOutcome, approved: boolean): Decline | undefined {
  if (!approved) return { code: 'AH04', reason: '3D Secure authentication failed' };
  return outcome === 'challenge_declined' ? declinedByBank : undefined;
}
