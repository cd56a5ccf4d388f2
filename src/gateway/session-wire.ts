/** Hosted checkout sessions as they cross the wire (interface.md section 2.4). Amounts are whole centavos. */
import { z } from 'zod';
import { blotCardNumbers } from '../core/card-data.js';
import type { OrderLine } from '../core/cart.js';
import type { Contact } from '../core/contact.js';
import { type Centavos, CURRENCY } from '../core/money.js';
import type { Evidence } from '../core/payment.js';
import { readSessionStatus } from './evidence.js';
import { toWireEmail } from './wire-email.js';

/** What a session is asked for. */
export interface SessionRequest {
  /** The attempt's own id, stored before the first send. */
  readonly idempotencyKey: string;
  readonly reference: string;
  readonly contact: Contact;
  readonly lines: readonly OrderLine[];
  readonly amount: Centavos;
  /** Where the shopper comes back to, whatever happened. */
  readonly returnUrl: string;
  /** Milliseconds since 1970; the wire has seconds. */
  readonly expiresAt: number;
}

const MINUTE = 60_000;
const SHORTEST = 30 * MINUTE;
const LONGEST = 24 * 60 * MINUTE;
/** The body of create-session. Throws a `RangeError` when `expiresAt` lies outside the service's window. */
export function toSessionBody(request: SessionRequest, now: number): Record<string, unknown> {
  const lifetime = request.expiresAt - now;
  // Said this way round, so that what is not a number is refused too.
  if (!(lifetime >= SHORTEST && lifetime <= LONGEST)) {
    throw new RangeError('expires_at must lie between 30 minutes and 24 hours from now');
  }
  return {
    customer: {
      first_name: request.contact.firstName,
      last_name: request.contact.lastName,
      email: toWireEmail(request.contact.email),
    },
    amount_total: request.amount,
    currency: CURRENCY,
    line_items: request.lines.map((line) => ({
      name: line.name,
      quantity: line.quantity,
      unit_price: line.unitPrice,
      product_id: line.productId,
    })),
    external_id: request.reference,
    metadata: { order_number: request.reference },
    success_url: request.returnUrl,
    return_url: request.returnUrl,
    expires_at: Math.floor(request.expiresAt / 1000),
  };
}

const ID = z.string().min(1).max(255);

/** Only what is needed is required; a value of the wrong type where money is judged reads as absent. */
const sessionSchema = z.object({
  id: ID,
  status: z.string().max(100),
  transaction_status: z.string().max(100).nullish(),
  url: z.string().max(4096).nullish().catch(undefined),
  amount_total: z.unknown().optional(),
  currency: z.unknown().optional(),
  external_id: z.unknown().optional(),
});

export interface SessionAnswer {
  readonly evidence: Evidence;
  readonly url: string | undefined;
}

/** Reads a session object, whole or abbreviated; `undefined` when it is not one. */
export function parseSession(json: unknown): SessionAnswer | undefined {
  const parsed = sessionSchema.safeParse(json);
  if (!parsed.success) return undefined;
  const session = parsed.data;
  const transactionStatus = session.transaction_status ?? undefined;
  const amount = readMinorUnits(session.amount_total);
  return {
    url: session.url ?? undefined,
    evidence: {
      reading: readSessionStatus(session.status, transactionStatus),
      id: session.id,
      words: blotCardNumbers([session.status, transactionStatus].filter(Boolean).join('/')),
      ...(amount !== undefined && { amount }),
      ...(typeof session.currency === 'string' && { currency: session.currency }),
      ...(typeof session.external_id === 'string' && { reference: session.external_id }),
    },
  };
}

function readMinorUnits(value: unknown): Centavos | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? (value as Centavos) : undefined;
}
