/** The published test cards and what each one causes. */
import type { CardFace, CardOutcome, Decline } from './model.js';

/** What happens when a card is presented. */
export type CardResult =
  | { readonly kind: 'paid'; readonly status: 'success' | 'authorized' }
  | { readonly kind: 'declined'; readonly decline: Decline }
  | { readonly kind: 'challenge' }
  | { readonly kind: 'error' };

const declinedByBank: Decline = { code: 'BH01', reason: 'Declined by the bank' };
const noFunds: Decline = { code: 'CH01', reason: 'Insufficient funds' };

interface Outcome {
  readonly result: CardResult;
  readonly es: string;
  readonly en: string;
}

const outcomes: Readonly<Record<CardOutcome, Outcome>> = {
  success: {
    result: { kind: 'paid', status: 'success' },
    es: 'El pago se aprueba',
    en: 'The payment succeeds',
  },
  authorized: {
    result: { kind: 'paid', status: 'authorized' },
    es: 'Se autoriza sin 3D Secure',
    en: 'Authorized without 3D Secure',
  },
  declined: {
    result: { kind: 'declined', decline: declinedByBank },
    es: 'El banco rechaza la tarjeta',
    en: 'The bank declines the card',
  },
  insufficient_funds: {
    result: { kind: 'declined', decline: noFunds },
    es: 'Fondos insuficientes',
    en: 'Insufficient funds',
  },
  challenge: {
    result: { kind: 'challenge' },
    es: 'El banco pide 3D Secure',
    en: 'The bank asks for 3D Secure',
  },
  challenge_declined: {
    result: { kind: 'challenge' },
    es: '3D Secure pasa y luego se rechaza',
    en: '3D Secure passes, then it is declined',
  },
  processing_error: {
    result: { kind: 'error' },
    es: 'Error al procesar, sin dejar registro',
    en: 'Processing error that leaves no record',
  },
};

/** Returns what happens when a card with this outcome is presented. */
export function resultOf(outcome: CardOutcome): CardResult {
  return outcomes[outcome].result;
}

/** Returns the decline after the bank's answer; `undefined` means paid. */
export function declineAfterChallenge(outcome: CardOutcome, approved: boolean): Decline | undefined {
  if (!approved) return { code: 'AH04', reason: '3D Secure authentication failed' };
  return outcome === 'challenge_declined' ? declinedByBank : undefined;
}

export interface TestCard {
  readonly number: string;
  readonly outcome: CardOutcome;
  readonly es: string;
  readonly en: string;
}

function cards(outcome: CardOutcome, ...numbers: readonly string[]): readonly TestCard[] {
  const { es, en } = outcomes[outcome];
  return numbers.map((number) => ({ number, outcome, es, en }));
}

/** One card for each outcome. */
export const testCards: readonly TestCard[] = [
  ...cards('success', '4000000000000077'),
  ...cards('challenge', '4456528080389860'),
  ...cards('authorized', '4456540000000063'),
  ...cards('declined', '5451951574925480'),
  ...cards('insufficient_funds', '4349001210846432'),
  ...cards('challenge_declined', '4444444444444455'),
  ...cards('processing_error', '4574441215190335'),
];

/** The older set, as the card processors publish it. */
export const processorCards: readonly TestCard[] = [
  ...cards('challenge', '4000000000000085', '5100000000000065', '370000000000085'),
  ...cards('success', '4580000000000059', '2400000000000069', '340000000000009'),
  ...cards('success', '4000000000000093', '5100000000000073', '340000000000033'),
  ...cards('authorized', '4000000000000051', '5100000000000651', '370000000000051'),
  ...cards('success', '2400000000000077', '340000000000017'),
  ...cards('challenge_declined', '5555555555559955', '371111111111155'),
  ...cards('declined', '4444444444449777', '5555555555554477', '341111111111137'),
];

const known = new Map([...testCards, ...processorCards].map((card) => [card.number, card.outcome]));

/** Returns whether the last digit is the right check digit. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Known test cards are accepted first: some published ones have a wrong check digit. */
export function isCardNumber(digits: string): boolean {
  return /^[0-9]{13,19}$/.test(digits) && (known.has(digits) || passesLuhn(digits));
}

/** Returns the card data that may be stored. */
export function faceOf(number: string): CardFace {
  return { brand: brandOf(number), last4: number.slice(-4), outcome: known.get(number) ?? 'success' };
}

function brandOf(number: string): string {
  if (number.startsWith('4')) return 'Visa';
  if (number.startsWith('34') || number.startsWith('37')) return 'American Express';
  return /^[25]/.test(number) ? 'Mastercard' : 'Card';
}

/** Returns cards as the pages show them. */
export function shownCards(list: readonly TestCard[], lang: 'es' | 'en') {
  return list.map((card) => ({
    number: card.number,
    grouped: card.number.replace(/(.{4})(?=.)/g, '$1 '),
    outcome: card[lang],
  }));
}
