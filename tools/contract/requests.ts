/** The shop's own requests, of its own builders. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { CardTokens } from '@tianguis/payments/rules';
import { centavos } from '@tianguis/payments/rules';
import { toPaymentBody } from '../../packages/payments/src/gateway/card-payments.js';
import { toSessionBody } from '../../packages/payments/src/gateway/hosted-sessions.js';

const CONTACT = { firstName: 'Contract', lastName: 'Suite', email: 'contract@example.com' } as const;
const RETURN_URL = 'https://shop.example/checkout/return/contract';
const AMOUNT = centavos(15_000);
const LINE = { name: 'Taza', quantity: 2, unitPrice: centavos(7_500), productId: 'taza', taxRate: '16' } as const;
const BRAND_COLOR = '#7a1f3d';

/** Returns an order over 150.00 pesos. Its reference is new, because the gateway may refuse a repeated one. */
function newOrder() {
  const reference = `CONTRACT-${randomBytes(6).toString('hex').toUpperCase()}`;
  return {
    idempotencyKey: randomUUID(),
    reference,
    orderNumber: reference,
    contact: CONTACT,
    lines: [LINE],
    amount: AMOUNT,
    returnUrl: RETURN_URL,
    expiresAt: Date.now() + 60 * 60_000,
  };
}

export function inMinutes(minutes: number): number {
  return Math.floor(Date.now() / 1000) + 60 * minutes;
}

/** Returns the shop's body of create-session. */
export function shopSession(): Readonly<Record<string, unknown>> {
  return toSessionBody(newOrder(), Date.now(), BRAND_COLOR);
}

/** Tokens in the tokenizer's format that belong to no card. */
const UNKNOWN_TOKENS: CardTokens = {
  card_number: '0000-0000-0000-0001',
  cardholder_name: '00000000-0000-4000-8000-000000000001',
  cvv: '00000000-0000-4000-8000-000000000002',
  expiration_month: '00000000-0000-4000-8000-000000000003',
  expiration_year: '00000000-0000-4000-8000-000000000004',
};

/** Returns the shop's body of a card payment. By default its tokens belong to no card. */
export function shopPayment(tokens = UNKNOWN_TOKENS, names: object = {}): Readonly<Record<string, unknown>> {
  return toPaymentBody({ ...newOrder(), contact: { ...CONTACT, ...names }, tokens });
}
