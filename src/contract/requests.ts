/** Requests that break no rule of the contract, with made-up people. */
import { randomBytes } from 'node:crypto';

export type Body = Readonly<Record<string, unknown>>;

/** In whole centavos; 150.00 is the contract's own example. */
export const AMOUNT = { minor: 15_000, pesos: 150 } as const;

const CUSTOMER = { first_name: 'Contract', last_name: 'Suite', email: 'contract@example.com' } as const;
const RETURN_URL = 'https://shop.example/checkout/return/contract';

/** New for each request: the service may know a number again. */
function newReference(): string {
  return `CONTRACT-${randomBytes(6).toString('hex').toUpperCase()}`;
}

/** Without anything that section 2.4.1 does not require. */
export function leastSession(): Body {
  return {
    customer: CUSTOMER,
    amount_total: AMOUNT.minor,
    currency: 'MXN',
    line_items: [{ name: 'Taza', quantity: 2, unit_price: AMOUNT.minor / 2, product_id: 'taza' }],
    return_url: RETURN_URL,
  };
}

export function wholeSession(expiresAt: number): Body {
  const reference = newReference();
  return {
    ...leastSession(),
    external_id: reference,
    metadata: { order_number: reference },
    success_url: RETURN_URL,
    expires_at: expiresAt,
  };
}

/** Unix seconds, so many minutes from now. */
export function inMinutes(minutes: number): number {
  return Math.floor(Date.now() / 1000) + 60 * minutes;
}

export function without(body: Body, ...names: readonly string[]): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

/** Look like the vault's and are nobody's. */
const NO_CARD = {
  card_number: '0000-0000-0000-0001',
  cardholder_name: '00000000-0000-4000-8000-000000000001',
  cvv: '00000000-0000-4000-8000-000000000002',
  expiration_month: '00000000-0000-4000-8000-000000000003',
  expiration_year: '00000000-0000-4000-8000-000000000004',
} as const;

export function cardPayment(tokens: unknown = NO_CARD): Body {
  return {
    operation_type: 'payment',
    amount: AMOUNT.pesos,
    currency: 'MXN',
    customer: { name: 'Contract Suite', email: CUSTOMER.email },
    payment_method: { type: 'CARD', ...Object(tokens) },
    client_reference: newReference(),
    return_url: RETURN_URL,
  };
}
