/** The bodies that a shop sends, of the interface's sections 2.1 and 2.4.1. schemas.ts describes them. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { numberToken } from './compare.js';

const RETURN_URL = 'https://shop.example/checkout/return/contract';
const EMAIL = 'contract@example.com';

/** The gateway may refuse a repeated reference. */
function newReference(): string {
  return `CONTRACT-${randomBytes(6).toString('hex').toUpperCase()}`;
}

export function inMinutes(minutes: number): number {
  return Math.floor(Date.now() / 1000) + 60 * minutes;
}

/** Returns the body of create-session for an order over 150.00 pesos, in centavos. */
export function shopSession(): Readonly<Record<string, unknown>> {
  const reference = newReference();
  return {
    customer: { first_name: 'Contract', last_name: 'Suite', email: EMAIL },
    amount_total: 15_000,
    currency: 'MXN',
    line_items: [{ name: 'Taza', quantity: 2, unit_price: 7_500, product_id: 'taza' }],
    external_id: reference,
    metadata: { order_number: reference },
    payment_method_types: ['card'],
    checkout_type: 'hosted',
    session_type: 'payment',
    success_url: RETURN_URL,
    return_url: RETURN_URL,
    expires_at: inMinutes(60),
    ui_config_version: 'V1',
    ui_config: { branding: { brand_color: '#7a1f3d' } },
  };
}

const token = z.guid();
/** The five values of section 2.1.2 in their forms. */
export const cardTokens = z.object({
  card_number: numberToken,
  cardholder_name: token,
  cvv: token,
  expiration_month: token,
  expiration_year: token,
});

/** Tokens in the tokenizer's format that belong to no card. */
const UNKNOWN_TOKENS: z.infer<typeof cardTokens> = {
  card_number: '0000-0000-0000-0001',
  cardholder_name: '00000000-0000-4000-8000-000000000001',
  cvv: '00000000-0000-4000-8000-000000000002',
  expiration_month: '00000000-0000-4000-8000-000000000003',
  expiration_year: '00000000-0000-4000-8000-000000000004',
};

/** Returns the body of a card payment over 150.00 pesos. By default its tokens belong to no card. */
export function shopPayment(tokens = UNKNOWN_TOKENS, name = 'Contract Suite'): Readonly<Record<string, unknown>> {
  return {
    operation_type: 'payment',
    amount: 150,
    currency: 'MXN',
    customer: { name, email: EMAIL },
    payment_method: { type: 'CARD', ...tokens },
    client_reference: newReference(),
    return_url: RETURN_URL,
  };
}
