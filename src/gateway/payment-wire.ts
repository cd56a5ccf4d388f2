/** Card payments as they cross the wire (interface.md sections 2.1 to 2.3): the only place with pesos and decimals. */
import { z } from 'zod';
import { blotCardNumbers, type CardTokens } from '../core/card-data.js';
import type { Contact } from '../core/contact.js';
import { type Centavos, CURRENCY, fromPesosText, toPesosText } from '../core/money.js';
import type { Evidence } from '../core/payment.js';
import { readPaymentStatus } from './evidence.js';
import { toWireEmail } from './wire-email.js';

/** What a card payment is asked for. */
export interface PaymentRequest {
  /** The attempt's own id, stored before the only send. */
  readonly idempotencyKey: string;
  readonly reference: string;
  readonly orderNumber: string;
  readonly contact: Contact;
  readonly amount: Centavos;
  readonly returnUrl: string;
  readonly tokens: CardTokens;
}

/** The body of process-payment. The amount is parsed from its digits, so it is the nearest double to the exact text. */
export function toPaymentBody(request: PaymentRequest): Record<string, unknown> {
  return {
    operation_type: 'payment',
    amount: Number(toPesosText(request.amount)),
    currency: CURRENCY,
    customer: {
      name: `${request.contact.firstName} ${request.contact.lastName}`,
      email: toWireEmail(request.contact.email),
    },
    payment_method: { type: 'CARD', ...request.tokens },
    client_reference: request.reference,
    metadata: { order_id: request.reference, order_number: request.orderNumber },
    return_url: request.returnUrl,
  };
}

const paymentSchema = z.object({
  id: z.string().min(1).max(255),
  status: z.string().max(100),
  amount: z.unknown().optional(),
  currency: z.unknown().optional(),
  client_reference: z.unknown().optional(),
  merchant_reference: z.unknown().optional(),
  next_action: z.unknown().optional(),
});

const nextActionSchema = z.object({ redirect_to_url: z.object({ url: z.string().min(1).max(4096) }) });

export interface PaymentAnswer {
  readonly evidence: Evidence;
  /** The bank's address, when the service asks for 3D Secure. */
  readonly bankUrl: string | undefined;
}

/** Reads a payment or transaction; `undefined` when it is not one. */
export function parsePayment(json: unknown): PaymentAnswer | undefined {
  const parsed = paymentSchema.safeParse(json);
  if (!parsed.success) return undefined;
  const payment = parsed.data;
  const nextAction = nextActionSchema.safeParse(payment.next_action);
  const amount = readPesos(payment.amount);
  const reference = payment.client_reference ?? payment.merchant_reference;
  return {
    bankUrl: nextAction.success ? nextAction.data.redirect_to_url.url : undefined,
    evidence: {
      reading: readPaymentStatus(payment.status),
      id: payment.id,
      words: blotCardNumbers(payment.status),
      ...(amount !== undefined && { amount }),
      ...(typeof payment.currency === 'string' && { currency: payment.currency }),
      ...(typeof reference === 'string' && { reference }),
    },
  };
}

/** The lookup has shown amounts as numbers and as decimal text; a number's shortest text holds its exact digits. */
function readPesos(value: unknown): Centavos | undefined {
  if (typeof value === 'string') return fromPesosText(value);
  return typeof value === 'number' ? fromPesosText(String(value)) : undefined;
}

const accessTokenSchema = z.object({ access_token: z.string().min(1).max(8192) });

/** Reads the answer of the tokenisation access call; `undefined` when it holds no token. */
export function parseAccessToken(json: unknown): string | undefined {
  const parsed = accessTokenSchema.safeParse(json);
  return parsed.success ? parsed.data.access_token : undefined;
}
