/** The published test cards and what each one makes happen. */
import type { CardFace, CardOutcome } from './model.js';

export interface TestCard {
  readonly number: string;
  readonly outcome: CardOutcome;
  readonly es: string;
  readonly en: string;
}

const sentences: Readonly<Record<CardOutcome, { readonly es: string; readonly en: string }>> = {
  success: { es: 'El pago se aprueba', en: 'The payment succeeds' },
  authorized: { es: 'Se autoriza sin 3D Secure', en: 'Authorised without 3D Secure' },
  declined: { es: 'El banco rechaza la tarjeta', en: 'The bank declines the card' },
  insufficient_funds: { es: 'Fondos insuficientes', en: 'Insufficient funds' },
  challenge: { es: 'El banco pide 3D Secure', en: 'The bank asks for 3D Secure' },
  challenge_declined: {
    es: '3D Secure pasa y luego se rechaza',
    en: '3D Secure passes, then it is declined',
  },
  processing_error: {
    es: 'Error al procesar, sin dejar registro',
    en: 'Processing error that leaves no record',
  },
};

function cards(outcome: CardOutcome, ...numbers: readonly string[]): readonly TestCard[] {
  return numbers.map((number) => ({ number, outcome, ...sentences[outcome] }));
}

/** The cards worth showing: one for each thing that can happen. */
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

const outcomes = new Map([...testCards, ...processorCards].map((card) => [card.number, card.outcome]));

/** Whether the digits carry a right check digit. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Not every published test card has a right check digit, so those are known by heart. */
export function isCardNumber(digits: string): boolean {
  return /^[0-9]{13,19}$/.test(digits) && (outcomes.has(digits) || passesLuhn(digits));
}

/** All that may be remembered of a card. */
export function faceOf(number: string): CardFace {
  return { brand: brandOf(number), last4: number.slice(-4), outcome: outcomes.get(number) ?? 'success' };
}

function brandOf(number: string): string {
  if (number.startsWith('4')) return 'Visa';
  if (number.startsWith('34') || number.startsWith('37')) return 'American Express';
  return /^[25]/.test(number) ? 'Mastercard' : 'Card';
}
