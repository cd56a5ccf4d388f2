/** The rules for the bodies of create-session and process (interface, sections 2.1, 2.4.1 and 8). */
import { z } from 'zod';
import {
  type CardField,
  type CardToken,
  cardFieldNames,
  type PaymentRequest,
  type SessionRequest,
} from './model.js';
import type { Details } from './refusal.js';
import { email, isRecord, metadata, mxn, name, type Rules, webAddress } from './validate.js';

const minutes = 60;
const shortestSeconds = 30 * minutes;
const longestSeconds = 24 * 60 * minutes;
/** Tolerance for the time between sending and arrival. */
const slackSeconds = 5;

const minor = z.int('must be a whole number of centavos').positive('must be more than 0');

const sessionSchema: z.ZodType<SessionRequest> = z.object({
  customer: z.object({ first_name: name, last_name: name, email }),
  amount_total: minor,
  currency: mxn,
  line_items: z
    .array(
      z.object({
        name,
        quantity: z.int('must be a whole number').min(1, 'must be at least 1'),
        unit_price: minor,
        product_id: z.string().optional(),
      }),
    )
    .min(1, 'must have at least one item'),
  external_id: z.string().max(255, 'must have at most 255 characters').optional(),
  expires_at: z.int('must be whole Unix seconds').optional(),
  metadata,
  success_url: webAddress.optional(),
  return_url: webAddress.optional(),
  pending_url: webAddress.optional(),
  payment_method_types: z.array(z.literal('card', 'must be card')).min(1, 'must name card').optional(),
  checkout_type: z.literal('hosted', 'must be hosted').optional(),
  session_type: z.literal('payment', 'must be payment').optional(),
  ui_config_version: z.string().optional(),
  ui_config: z.record(z.string(), z.unknown()).optional(),
});

/** The rules of the create-session body; the window of `expires_at` depends on the time. */
export function sessionRules(nowMs: number): Rules<SessionRequest> {
  return { schema: sessionSchema, across: (body) => ({ ...returnRule(body), ...expiryRule(body, nowMs) }) };
}

/** The end of a session without `expires_at`, in Unix seconds. */
export function defaultExpiry(nowMs: number): number {
  return Math.floor(nowMs / 1000) + longestSeconds;
}

function returnRule(body: Readonly<Record<string, unknown>>): Details {
  const told = body['success_url'] !== undefined || body['return_url'] !== undefined;
  return told ? {} : { return_url: 'is required when success_url is not set' };
}

function expiryRule(body: Readonly<Record<string, unknown>>, nowMs: number): Details {
  const expiresAt = body['expires_at'];
  if (typeof expiresAt !== 'number') return {};
  const ahead = expiresAt - nowMs / 1000;
  const inside = ahead >= shortestSeconds - slackSeconds && ahead <= longestSeconds + slackSeconds;
  return inside ? {} : { expires_at: 'must lie between 30 minutes and 24 hours in the future' };
}

const amount = z
  .number()
  .min(0.01, 'must be at least 0.01')
  .max(15_000_000, 'must be at most 15,000,000')
  .refine((value) => minorOf(value) / 100 === value, 'must have at most two decimals');

const paymentSchema: z.ZodType<PaymentRequest> = z.object({
  operation_type: z.literal('payment', 'must be payment'),
  amount,
  currency: mxn,
  customer: z.object({ name, email }),
  payment_method: z.object({
    // The gateway ignores case.
    type: z.string().regex(/^card$/i, 'must be CARD'),
    card_number: z.string(),
    cardholder_name: z.string(),
    cvv: z.string(),
    expiration_month: z.string(),
    expiration_year: z.string(),
  }),
  client_reference: name,
  return_url: webAddress,
  metadata,
});

/** The rules of the process body; `tokenOf` finds a token by its id. */
export function paymentRules(tokenOf: (id: string) => CardToken | undefined): Rules<PaymentRequest> {
  return { schema: paymentSchema, across: (body) => tokenRule(body['payment_method'], tokenOf) };
}

/** Centavos of an amount in pesos. */
export function minorOf(pesos: number): number {
  return Math.round(pesos * 100);
}

function tokenRule(method: unknown, tokenOf: (id: string) => CardToken | undefined): Details {
  if (!isRecord(method)) return {};
  const wrong = cardFieldNames.flatMap((field) => {
    const problem = tokenProblem(field, method[field], tokenOf);
    return problem === undefined ? [] : [[`payment_method.${field}`, problem]];
  });
  return Object.fromEntries(wrong);
}

function tokenProblem(
  field: CardField,
  value: unknown,
  tokenOf: (id: string) => CardToken | undefined,
): string | undefined {
  if (typeof value !== 'string') return undefined;
  const token = tokenOf(value);
  if (token === undefined) return 'must be a token of the vault';
  return token.field === field ? undefined : `is a token of ${token.field}`;
}
