/** The shop's own requests, of its own builders. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { CardTokens } from '../../src/domain/card-data.js';
import { centavos } from '../../src/domain/money.js';
import { toPaymentBody } from '../../src/gateway/card-payments.js';
import { toSessionBody } from '../../src/gateway/hosted-sessions.js';

const CONTACT = { firstName: 'Contract', lastName: 'Suite', email: 'contract@example.com' } as const;
const RETURN_URL = 'https://shop.example/checkout/return/contract';
const AMOUNT = centavos(15_000);
const LINE = { name: 'Taza', quantity: 2, unitPrice: centavos(7_500), productId: 'taza', taxRate: '16' } as const;
const BRAND_COLOR = '#7a1f3d';

/** Unique for each request, because the gateway may refuse a repeated reference. */
function newReference(): string {
  return `CONTRACT-${randomBytes(6).toString('hex').toUpperCase()}`;
}

export function inMinutes(minutes: number): number {
  return Math.floor(Date.now() / 1000) + 60 * minutes;
}

/** Returns the shop's body of create-session, over 150.00 pesos. */
export function shopSession(): Readonly<Record<string, unknown>> {
  const now = Date.now();
  const reference = newReference();
  const request = {
    idempotencyKey: randomUUID(),
    reference,
    orderNumber: reference,
    contact: CONTACT,
    lines: [LINE],
    amount: AMOUNT,
    returnUrl: RETURN_URL,
    expiresAt: now + 60 * 60_000,
  };
  return toSessionBody(request, now, BRAND_COLOR);
}

/** Tokens in the tokenizer's format that belong to no card. */
const UNKNOWN_TOKENS: CardTokens = {
  card_number: '0000-0000-0000-0001',
  cardholder_name: '00000000-0000-4000-8000-000000000001',
  cvv: '00000000-0000-4000-8000-000000000002',
  expiration_month: '00000000-0000-4000-8000-000000000003',
  expiration_year: '00000000-0000-4000-8000-000000000004',
};

/** Returns the shop's body of a card payment over 150.00 pesos. By default its tokens belong to no card. */
export function shopPayment(tokens = UNKNOWN_TOKENS, names: object = {}): Readonly<Record<string, unknown>> {
  return toPaymentBody({
    idempotencyKey: randomUUID(),
    reference: newReference(),
    contact: { ...CONTACT, ...names },
    amount: AMOUNT,
    returnUrl: RETURN_URL,
    tokens,
  });
}
