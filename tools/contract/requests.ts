import { randomBytes } from 'node:crypto';

const CUSTOMER = { first_name: 'Contract', last_name: 'Suite', email: 'contract@example.com' } as const;
const RETURN_URL = 'https://shop.example/checkout/return/contract';

/** Unique for each request, because the gateway may reject a repeated reference. */
function newReference(): string {
  return `CONTRACT-${randomBytes(6).toString('hex').toUpperCase()}`;
}

export function inMinutes(minutes: number): number {
  return Math.floor(Date.now() / 1000) + 60 * minutes;
}

/** Returns a session request over 150.00 pesos with only the fields that section 2.4.1 requires. */
export function minimalSession() {
  return {
    customer: CUSTOMER,
    amount_total: 15_000,
    currency: 'MXN',
    line_items: [{ name: 'Taza', quantity: 2, unit_price: 7_500, product_id: 'taza' }],
    return_url: RETURN_URL,
  };
}

/** Returns a session request with optional fields. */
export function completeSession() {
  const reference = newReference();
  return {
    ...minimalSession(),
    external_id: reference,
    metadata: { order_number: reference },
    success_url: RETURN_URL,
    expires_at: inMinutes(60),
  };
}

/** Tokens in the tokenizer's format that belong to no card. */
const UNKNOWN_TOKENS = {
  card_number: '0000-0000-0000-0001',
  cardholder_name: '00000000-0000-4000-8000-000000000001',
  cvv: '00000000-0000-4000-8000-000000000002',
  expiration_month: '00000000-0000-4000-8000-000000000003',
  expiration_year: '00000000-0000-4000-8000-000000000004',
} as const;

/** Returns a card payment request over 150.00 pesos (section 2.1). By default its tokens belong to no card. */
export function cardPayment(tokens: unknown = UNKNOWN_TOKENS, name = 'Contract Suite') {
  return {
    operation_type: 'payment',
    amount: 150,
    currency: 'MXN',
    customer: { name, email: CUSTOMER.email },
    payment_method: { type: 'CARD', ...Object(tokens) },
    client_reference: newReference(),
    return_url: RETURN_URL,
  };
}
