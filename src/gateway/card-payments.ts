/**
 * Card payments (interface, sections 2.1 to 2.3, 4.1 and 4.2) and the token for the tokenizer. Amounts in requests and
 * responses are pesos with two decimals; the shop has integer centavos.
 */
import { z } from 'zod';
import type { CardTokens } from '../domain/card-data.js';
import type { Contact } from '../domain/contact.js';
import { type Centavos, CURRENCY, fromPesosText, toPesosText } from '../domain/money.js';
import type { GatewayPayment } from '../domain/payment.js';
import { safeRedirect } from '../domain/redirect.js';
import type { Connection, GatewaySettings } from './connection.js';
import { asciiEmail } from './email.js';
import { GatewayError, provesNotProcessed } from './errors.js';
import type { GatewayResponse } from './http.js';
import { canonicalJson, signBody } from './signature.js';
import { gatewayIdSchema, readPaymentStatus, storableStatus } from './status.js';

export interface PaymentRequest {
  /** The attempt's id, stored before the only request. */
  readonly idempotencyKey: string;
  readonly reference: string;
  readonly orderNumber: string;
  readonly contact: Pick<Contact, 'firstName' | 'lastName' | 'email'>;
  readonly amount: Centavos;
  readonly returnUrl: string;
  readonly tokens: CardTokens;
}

export type ProcessedPayment =
  /** The gateway has the payment under this id; the lookup decides. `bankUrl` is the 3D Secure page. */
  | { readonly kind: 'known'; readonly id: string; readonly bankUrl?: string; readonly gatewayStatus: string }
  /** The bank declined, no money moved, and the gateway named no payment that could be looked up. */
  | { readonly kind: 'declined'; readonly gatewayStatus: string }
  /** Proven not to have been processed. */
  | { readonly kind: 'refused'; readonly error: GatewayError }
  /** The request was sent and no usable response arrived. Only a webhook or the gateway's dashboard has the outcome. */
  | { readonly kind: 'unknown'; readonly error: GatewayError };

export interface CardPayments {
  /**
   * Sends one card payment (section 4.1). Never retries, because the first request may have charged the card. Returns
   * a failure as a value and throws no {@link GatewayError}.
   */
  processPayment(request: PaymentRequest): Promise<ProcessedPayment>;
  /** Reads a card payment (section 4.2). Retries. */
  readTransaction(id: string): Promise<GatewayPayment>;
  /** Returns a short-lived token with which a browser may call the tokenizer. Retries. */
  accessToken(): Promise<string>;
}

export function cardPayments(connection: Connection): CardPayments {
  const { timed } = connection;
  return {
    processPayment: (request) => timed('process-payment', processPayment(connection, request)),
    readTransaction: (id) => timed('read-transaction', readTransaction(connection, id)),
    accessToken: () => timed('access-token', accessToken(connection)),
  };
}

async function processPayment(connection: Connection, request: PaymentRequest): Promise<ProcessedPayment> {
  try {
    return readProcessed(await sendPayment(connection, request), connection.settings);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { kind: provesNotProcessed(error) ? 'refused' : 'unknown', error };
  }
}

function sendPayment(
  { settings, payments, deadlines }: Connection,
  request: PaymentRequest,
): Promise<GatewayResponse> {
  const body = canonicalJson(toPaymentBody(request), settings.signingText ?? 'ascii');
  const signature = settings.signingSecret && signBody(settings.signingSecret, body);
  return payments({
    call: 'process-payment',
    method: 'POST',
    path: '/api/v1/process/',
    body,
    headers: {
      'X-Request-Id': request.idempotencyKey,
      ...(signature && { 'X-Signature-Transaction': signature }),
    },
    deadlineMs: deadlines.processPayment,
    retries: false,
    newConnection: true,
    acceptStatus: 402,
  });
}

function readProcessed(response: GatewayResponse, settings: GatewaySettings): ProcessedPayment {
  const parsed = parsePayment(response.json);
  if (!parsed) return processedWithoutId(response);
  const bankUrl =
    parsed.bankUrl && safeRedirect(parsed.bankUrl, { allowLoopbackHttp: settings.allowLoopbackHttp });
  const { id = '', gatewayStatus } = parsed.payment;
  return { kind: 'known', id, gatewayStatus, bankUrl };
}

/** A 402 with the documented error of a decline proves that no money moved; any other response proves nothing. */
function processedWithoutId({ status, json }: GatewayResponse): ProcessedPayment {
  const gatewayStatus = status === 402 ? parseDecline(json) : undefined;
  if (gatewayStatus !== undefined) return { kind: 'declined', gatewayStatus };
  const call = 'process-payment';
  return { kind: 'unknown', error: new GatewayError({ call, code: 'bad_answer', status, reason: 'shape' }) };
}

async function readTransaction({ payments, deadlines }: Connection, id: string): Promise<GatewayPayment> {
  const call = 'read-transaction';
  const path = `/api/v1/transactions/${encodeURIComponent(id)}/`;
  const { json } = await payments({ call, method: 'GET', path, deadlineMs: deadlines.read, retries: true });
  const parsed = parsePayment(json);
  if (!parsed) throw new GatewayError({ call, code: 'bad_answer', reason: 'shape' });
  return parsed.payment;
}

async function accessToken({ payments, deadlines }: Connection): Promise<string> {
  const call = 'access-token';
  const path = '/api/v1/tokenization/auth/';
  const deadlineMs = deadlines.accessToken;
  const { json } = await payments({ call, method: 'POST', path, deadlineMs, retries: true });
  const parsed = z.object({ access_token: z.string().min(1).max(8192) }).safeParse(json);
  if (!parsed.success) throw new GatewayError({ call, code: 'bad_answer', reason: 'shape' });
  return parsed.data.access_token;
}

/** Returns the body of process-payment. The amount is the double nearest to the exact decimal text. */
export function toPaymentBody(request: PaymentRequest): Record<string, unknown> {
  return {
    operation_type: 'payment',
    amount: Number(toPesosText(request.amount)),
    currency: CURRENCY,
    customer: {
      name: `${request.contact.firstName} ${request.contact.lastName}`,
      email: asciiEmail(request.contact.email),
    },
    payment_method: { type: 'CARD', ...request.tokens },
    client_reference: request.reference,
    metadata: { order_id: request.reference, order_number: request.orderNumber },
    return_url: request.returnUrl,
  };
}

/** A category letter, `H` or `S`, and two digits; any other value is dropped. */
const declineCode = z
  .string()
  .regex(/^[A-Z][HS]\d\d$/)
  .optional()
  .catch(undefined);

const paymentSchema = z.object({
  id: gatewayIdSchema,
  status: z.string().max(100),
  amount: z.unknown().optional(),
  currency: z.unknown().optional(),
  client_reference: z.unknown().optional(),
  merchant_reference: z.unknown().optional(),
  next_action: z.unknown().optional(),
  decline_code: declineCode,
});

const nextActionSchema = z.object({ redirect_to_url: z.object({ url: z.string().min(1).max(4096) }) });

interface ParsedPayment {
  readonly payment: GatewayPayment;
  /** The bank's address, when the gateway requires 3D Secure. */
  readonly bankUrl: string | undefined;
}

/** Parses a payment or a transaction (sections 2.2 and 2.3); returns `undefined` for anything else. */
function parsePayment(json: unknown): ParsedPayment | undefined {
  const parsed = paymentSchema.safeParse(json);
  if (!parsed.success) return undefined;
  const payment = parsed.data;
  const nextAction = nextActionSchema.safeParse(payment.next_action);
  const amount = readPesos(payment.amount);
  const reference = payment.client_reference ?? payment.merchant_reference;
  return {
    bankUrl: nextAction.success ? nextAction.data.redirect_to_url.url : undefined,
    payment: {
      status: readPaymentStatus(payment.status),
      id: payment.id,
      gatewayStatus: joinCodes(storableStatus(payment.status), payment.decline_code),
      amount,
      ...(typeof payment.currency === 'string' && { currency: payment.currency }),
      ...(typeof reference === 'string' && { reference }),
    },
  };
}

/** The error codes of a declined payment that moved no money (docs/gateway-interface.md). */
const DECLINE_ERRORS = ['card_declined', 'insufficient_funds', 'expired_card', 'invalid_card'] as const;

const declineSchema = z.object({
  error: z.object({
    code: z.string().toLowerCase().pipe(z.enum(DECLINE_ERRORS)),
    details: z.object({ decline_code: declineCode }).optional().catch(undefined),
  }),
});

/** Parses the error body of a declined payment and returns the gateway's words; `undefined` for any other body. */
function parseDecline(json: unknown): string | undefined {
  const parsed = declineSchema.safeParse(json);
  if (!parsed.success) return undefined;
  const { code, details } = parsed.data.error;
  return joinCodes(code, details?.decline_code);
}

function joinCodes(status: string, code: string | undefined): string {
  return code === undefined ? status : `${status}/${code}`;
}

/** The lookup sends amounts as numbers or as decimal text; the shortest text of a number has its exact digits. */
function readPesos(value: unknown): Centavos | undefined {
  if (typeof value === 'string') return fromPesosText(value);
  return typeof value === 'number' ? fromPesosText(String(value)) : undefined;
}
