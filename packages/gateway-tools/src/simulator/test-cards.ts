/** The published test cards and what each one causes. */
import type { CardOutcome, CardSummary, Decline } from './model.js';
import type { Text } from './render.js';

interface Outcome {
  /** `pending`: the bank asks for 3D Secure. `error`: nothing is recorded. */
  readonly status: 'success' | 'authorized' | 'declined' | 'pending' | 'error';
  readonly decline?: Decline;
  readonly text: Text;
}

export const declinedByBank: Decline = { code: 'BH01', reason: 'Declined by the bank' };
const noFunds: Decline = { code: 'CH01', reason: 'Insufficient funds' };

/** What happens when a card with this outcome is presented. */
export const outcomes: Readonly<Record<CardOutcome, Outcome>> = {
  success: { status: 'success', text: ['El pago se aprueba', 'The payment succeeds'] },
  authorized: { status: 'authorized', text: ['Se autoriza sin 3D Secure', 'Authorized without 3D Secure'] },
  declined: {
    status: 'declined',
    decline: declinedByBank,
    text: ['El banco rechaza la tarjeta', 'The bank declines the card'],
  },
  insufficient_funds: {
    status: 'declined',
    decline: noFunds,
    text: ['Fondos insuficientes', 'Insufficient funds'],
  },
  challenge: { status: 'pending', text: ['El banco pide 3D Secure', 'The bank asks for 3D Secure'] },
  challenge_declined: {
    status: 'pending',
    text: ['Se rechaza después de 3D Secure', 'Declined after 3D Secure'],
  },
  processing_error: {
    status: 'error',
    text: ['Error de procesamiento, sin registro', 'Processing error without a record'],
  },
};

export interface TestCard {
  readonly number: string;
  readonly outcome: CardOutcome;
  /** The outcome in English. */
  readonly en: string;
}

function cardsWith(outcome: CardOutcome, ...numbers: readonly string[]): readonly TestCard[] {
  const [, en] = outcomes[outcome].text;
  return numbers.map((number) => ({ number, outcome, en }));
}

/** One card for each outcome. */
export const testCards: readonly TestCard[] = [
  ...cardsWith('success', '4000000000000077'),
  ...cardsWith('challenge', '4456528080389860'),
  ...cardsWith('authorized', '4456540000000063'),
  ...cardsWith('declined', '5451951574925480'),
  ...cardsWith('insufficient_funds', '4349001210846432'),
  ...cardsWith('challenge_declined', '4444444444444455'),
  ...cardsWith('processing_error', '4574441215190335'),
];

/** The older set that the card processors publish. */
export const processorCards: readonly TestCard[] = [
  ...cardsWith('challenge', '4000000000000085', '5100000000000065', '370000000000085'),
  ...cardsWith('success', '4580000000000059', '2400000000000069', '340000000000009'),
  ...cardsWith('success', '4000000000000093', '5100000000000073', '340000000000033'),
  ...cardsWith('authorized', '4000000000000051', '5100000000000651', '370000000000051'),
  ...cardsWith('success', '2400000000000077', '340000000000017'),
  ...cardsWith('challenge_declined', '5555555555559955', '371111111111155'),
  ...cardsWith('declined', '4444444444449777', '5555555555554477', '341111111111137'),
];

const outcomeByNumber = new Map([...testCards, ...processorCards].map((card) => [card.number, card.outcome]));

/** Returns whether the last digit is the right check digit (Luhn algorithm). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Test cards are always accepted, because some published ones have a wrong check digit. */
export function isCardNumber(digits: string): boolean {
  return /^[0-9]{13,19}$/.test(digits) && (outcomeByNumber.has(digits) || passesLuhn(digits));
}

export function summarizeCard(number: string): CardSummary {
  return {
    brand: brandOf(number),
    last4: number.slice(-4),
    outcome: outcomeByNumber.get(number) ?? 'success',
  };
}

function brandOf(number: string): string {
  if (number.startsWith('4')) return 'Visa';
  if (number.startsWith('34') || number.startsWith('37')) return 'American Express';
  return /^[25]/.test(number) ? 'Mastercard' : 'Card';
}

/** Returns the cards as the pages show them. */
export function describeCards(cards: readonly TestCard[], translate: (text: Text) => string) {
  return cards.map(({ number, outcome }) => ({
    number,
    grouped: number.replace(/(.{4})(?=.)/g, '$1 '),
    outcome: translate(outcomes[outcome].text),
  }));
}
