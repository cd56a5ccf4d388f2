/**
 * Card payments (interface, sections 2.1 to 2.3, 4.1 and 4.2) and the token for the tokenizer. Amounts in requests and
 * responses are pesos with two decimals; the shop has integer centavos.
 */
import { z } from 'zod';
import type { CardTokens } from '../rules/card-data.js';
import { type Centavos, CURRENCY, toPesosText } from '../rules/money.js';
import type { GatewayPayment, Payer, PaymentStatus } from '../rules/payment.js';
import { safeRedirect } from '../rules/redirect.js';
import type { Connection, GatewaySettings } from './connection.js';
import { ERRORS, GatewayError } from './errors.js';
import type { GatewayResponse } from './read-response.js';
import { readPesos, signRequest } from './sign-request.js';
import {
  asciiEmail,
  gatewayIdSchema,
  NUMBER_MEMBERS,
  readNumbers,
  readPaymentStatus,
  storableStatus,
  unreadMembers,
} from './status.js';

export interface PaymentRequest {
  /** The attempt's id, stored before the only request. */
  readonly idempotencyKey: string;
  readonly reference: string;
  readonly contact: Payer;
  readonly amount: Centavos;
  readonly returnUrl: string;
  readonly tokens: CardTokens;
}

export type ProcessedPayment =
  /** The gateway has the payment under its id; the lookup decides. */
  | ({ readonly kind: 'known'; readonly payment: GatewayPayment } & BankPage)
  /** The bank declined, no money moved, and the gateway named no payment that could be looked up. */
  | { readonly kind: 'declined'; readonly gatewayStatus: string }
  /** Proven not to have been processed. */
  | { readonly kind: 'refused'; readonly error: GatewayError }
  /** The request was sent and no response arrived that is about it. Only a webhook or the gateway's dashboard has the outcome. */
  | { readonly kind: 'unknown'; readonly error: GatewayError };

/** The 3D Secure page, or why the answer that requires it has none that a customer may be sent to. */
export interface BankPage {
  readonly bankUrl?: string | undefined;
  readonly bankFault?: 'bank_page_missing' | 'bank_page_unreadable' | 'bank_page_unsafe';
}

/**
 * Sends one card payment (section 4.1). Never retries, because the first request may have charged the card. Returns
 * a failure as a value and throws no {@link GatewayError}.
 */
export async function processPayment(
  { settings, payments }: Connection,
  request: PaymentRequest,
): Promise<ProcessedPayment> {
  try {
    return await payments(
      {
        call: 'process-payment',
        ...signRequest(settings, request.idempotencyKey, toPaymentBody(request)),
        accepts: (status, json) => status === 402 && (hasId(json) || parseDecline(json) !== undefined),
      },
      (response) => readProcessed(response, request, settings),
    );
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // A 402 that names no payment refuses as 400 and 422 do, and is a decline for the customer.
    if (error.code === 'refused' && error.status === 402)
      return { kind: 'declined', gatewayStatus: 'payment_required' };
    return { kind: ERRORS[error.code].notProcessed ? 'refused' : 'unknown', error };
  }
}

/** The answer binds its id only if it is about our request: same amount and currency, and no other reference. */
function readProcessed(
  { status, json }: GatewayResponse,
  { amount, reference }: PaymentRequest,
  { production }: GatewaySettings,
): ProcessedPayment | undefined {
  const payment = parsePayment(json);
  if (payment) {
    const isSame = payment.amount === amount && payment.currency === CURRENCY;
    const hasOtherReference = payment.reference !== undefined && payment.reference !== reference;
    if (!isSame || hasOtherReference)
      throw new GatewayError({ call: 'process-payment', code: 'bad_answer', status, reason: 'mismatch' });
    return { kind: 'known', payment, ...readBankPage(json, payment, !production) };
  }
  // A 402 with the published error of a decline proves that no money moved. An unreadable payment proves nothing.
  const gatewayStatus = status === 402 ? parseDecline(json) : undefined;
  return gatewayStatus === undefined ? undefined : { kind: 'declined', gatewayStatus };
}

/** Reads `next_action` of an answer. A payment that waits for the customer needs it, and one with a result does not. */
function readBankPage(json: unknown, { status }: GatewayPayment, allowLoopbackHttp: boolean): BankPage {
  const { next_action } = Object(json) as { readonly next_action?: unknown };
  const isAbsent = next_action === undefined || next_action === null;
  if (isAbsent) return status === 'pending' ? { bankFault: 'bank_page_missing' } : {};
  const url = nextAction.safeParse(next_action).data?.redirect_to_url.url;
  const bankUrl = url && safeRedirect(url, { allowLoopbackHttp });
  if (bankUrl) return { bankUrl };
  if (!WITHOUT_RESULT.includes(status)) return {};
  return { bankFault: url === undefined ? 'bank_page_unreadable' : 'bank_page_unsafe' };
}

const WITHOUT_RESULT: readonly PaymentStatus[] = ['pending', 'processing', 'unclear'];

/** Reads a card payment (section 4.2). Retries. */
export async function readTransaction({ payments }: Connection, gatewayId: string): Promise<GatewayPayment> {
  const path = `/api/v1/transactions/${encodeURIComponent(gatewayId)}/`;
  return payments({ call: 'read-transaction', method: 'GET', path }, ({ json }) => parsePayment(json));
}

/** @public also used by tests */
export const accessTokenSchema = z.object({
  access_token: z.string().min(1).max(8192),
  expires_in: z.number().positive().optional().catch(undefined),
});

export interface AccessToken {
  readonly token: string;
  /** In milliseconds. Absent: the answer states none, and the token may work only once. */
  readonly lifetimeMs?: number | undefined;
}

/** Returns a short-lived token with which a browser may call the tokenizer. Retries. */
export function accessToken({ payments }: Connection): Promise<AccessToken> {
  const path = '/api/v1/tokenization/auth/';
  return payments({ call: 'access-token', method: 'POST', path }, ({ json }) => {
    const { data } = accessTokenSchema.safeParse(json);
    const lifetimeMs = data?.expires_in === undefined ? undefined : data.expires_in * 1_000;
    return data && { token: data.access_token, lifetimeMs };
  });
}

/** Returns the body of process-payment. The amount is the double nearest to the exact decimal text. */
export function toPaymentBody(request: PaymentRequest): Record<string, unknown> {
  return {
    operation_type: 'payment',
    amount: Number(toPesosText(request.amount)),
    currency: CURRENCY,
    customer: {
      name: `${request.contact.firstName} ${request.contact.lastName}`.trim(),
      email: asciiEmail(request.contact.email),
    },
    payment_method: { type: 'CARD', ...request.tokens },
    client_reference: request.reference,
    return_url: request.returnUrl,
  };
}

/** A category letter, `H` or `S`, and two digits; any other value is dropped. */
const declineCode = z
  .string()
  .regex(/^[A-Z][HS]\d\d$/)
  .optional()
  .catch(undefined);

const nextAction = z.object({ redirect_to_url: z.object({ url: z.string().min(1).max(4096) }) });

/** @public also used by tests */
export const paymentSchema = z.object({
  // A refund has the reference and the amount of its payment, and must never be read as a payment.
  operation_type: z
    .string()
    .regex(/^payment$/i)
    .optional(),
  id: gatewayIdSchema,
  status: z.string().max(100),
  amount: z.unknown().optional(),
  currency: z.string().optional().catch(undefined),
  client_reference: z.unknown().optional(),
  merchant_reference: z.unknown().optional(),
  next_action: nextAction.optional().catch(undefined),
  decline_code: declineCode,
  ...NUMBER_MEMBERS,
});

/** Parses a payment or a transaction (sections 2.2 and 2.3); returns `undefined` for anything else. */
function parsePayment(json: unknown): GatewayPayment | undefined {
  const { data: payment } = paymentSchema.safeParse(json);
  if (!payment) return undefined;
  return {
    status: readPaymentStatus(payment.status),
    gatewayId: payment.id,
    gatewayStatus: joinCodes(storableStatus(payment.status), payment.decline_code),
    amount: readPesos(payment.amount),
    currency: payment.currency,
    reference: readReference(payment),
    numbers: readNumbers(payment),
    unread: unreadMembers(json, payment, ['decline_code', ...Object.keys(NUMBER_MEMBERS)]),
  };
}

/** Two members may hold the reference. Absent: neither is present. Null: one is unreadable, or they differ. */
function readReference(members: {
  readonly client_reference?: unknown;
  readonly merchant_reference?: unknown;
}): string | null | undefined {
  const present = [members.client_reference, members.merchant_reference].filter((each) => each !== undefined);
  const [first] = present;
  if (first === undefined) return undefined;
  return typeof first === 'string' && present.every((each) => each === first) ? first : null;
}

/** The error codes of a declined payment that moved no money (docs/gateway-interface.md). */
const DECLINE_ERRORS = ['card_declined', 'insufficient_funds', 'expired_card', 'invalid_card'] as const;

/** @public also used by tests */
export const declineSchema = z.object({
  error: z.object({
    code: z.string().toLowerCase().pipe(z.enum(DECLINE_ERRORS)),
    details: z.object({ decline_code: declineCode }).optional().catch(undefined),
  }),
});

/** Whether the body names a payment, also one that cannot be read. */
function hasId(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'id' in json && json.id !== null;
}

/** Parses the error body of a declined payment and returns the gateway's words; `undefined` for any other body. */
function parseDecline(json: unknown): string | undefined {
  const { data } = declineSchema.safeParse(json);
  return data && joinCodes(data.error.code, data.error.details?.decline_code);
}

function joinCodes(status: string, code: string | undefined): string {
  return code === undefined ? status : `${status}/${code}`;
}
