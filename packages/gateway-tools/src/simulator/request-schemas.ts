/** The bodies of the calls (interface, sections 2.1, 2.4.1 and 8). */
import { z } from 'zod';
import { invalid, isRecord } from './api-error.js';

const webAddress = z.url({ protocol: /^https?$/, error: 'must be an absolute http or https address' });

const email = z.email('must be an e-mail address').max(320, 'must have at most 320 characters');

const name = z
  .string()
  .max(255, 'must have at most 255 characters')
  .refine((text) => text.trim() !== '', 'must not be empty');

/** Unchanged, also with a member `__proto__`. */
const metadata = z.custom<Readonly<Record<string, unknown>>>(isRecord, 'must be an object').optional();

const mxn = z.literal('MXN', 'must be MXN');

const minExpirySeconds = 30 * 60;
const maxExpirySeconds = 24 * 60 * 60;

const minor = z.int('must be a whole number of centavos').positive('must be more than 0');

const lineItem = z.object({
  name,
  quantity: z.int('must be a whole number').min(1, 'must be at least 1'),
  unit_price: minor,
  product_id: z.string().optional(),
});

/** The interface shows no members. Public documents name the color. */
const uiConfig = z.looseObject({
  branding: z
    .looseObject({
      brand_color: z
        .string()
        .regex(/^#[0-9a-f]{6}$/i, 'must be #RRGGBB')
        .optional(),
    })
    .optional(),
});

/** The body of create-session. The window of `expires_at` depends on the clock: `expiryOf` checks it. */
export const sessionSchema = z
  .object({
    customer: z.object({ first_name: name, last_name: name, email }),
    amount_total: minor,
    currency: mxn,
    line_items: z.array(lineItem).min(1, 'must have at least one item'),
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
    ui_config: uiConfig.optional(),
  })
  .refine((body) => body.success_url !== undefined || body.return_url !== undefined, {
    path: ['return_url'],
    message: 'is required when success_url is not set',
    // Checked even if other fields are wrong.
    when: () => true,
  });

export type SessionRequest = z.infer<typeof sessionSchema>;

/** Returns the expiry of a new session in Unix seconds. Throws unless it lies in the window, with a tolerance in seconds. */
export function expiryOf({ expires_at }: SessionRequest, nowMs: number, tolerance: number): number {
  if (expires_at === undefined) return Math.floor(nowMs / 1000) + maxExpirySeconds;
  const seconds = expires_at - nowMs / 1000;
  if (seconds < minExpirySeconds - tolerance || seconds > maxExpirySeconds + tolerance)
    throw invalid({ expires_at: 'must lie between 30 minutes and 24 hours in the future' }, 422);
  return expires_at;
}

const amount = z
  .number()
  .min(0.01, 'must be at least 0.01')
  .max(15_000_000, 'must be at most 15,000,000')
  .refine((value) => centavosOf(value) / 100 === value, 'must have at most two decimals');

const token = z.string('must be a token of the tokenizer');
const numberToken = token.regex(
  /^(?=.{14,23}$)(?:[0-9]{4}-){2,4}[0-9]{1,4}$/,
  'must be 12 to 19 digits in blocks of four digits',
);

export const paymentSchema = z.object({
  operation_type: z.literal('payment', 'must be payment'),
  amount,
  currency: mxn,
  customer: z.object({ name, email }),
  payment_method: z.object({
    // The public documents ignore case. In the profile `minimal`, `createPayment` does not.
    type: z.string().regex(/^card$/i, 'must be CARD'),
    card_number: numberToken,
    cardholder_name: token,
    cvv: token,
    expiration_month: token,
    expiration_year: token,
  }),
  client_reference: name,
  return_url: webAddress,
  metadata,
});

/** The accepted body of a process call; the card fields are tokens. */
export type PaymentRequest = z.infer<typeof paymentSchema>;

/** The schema of a refund (public material; the interface shows none). */
export const refundSchema = z.object({
  operation_type: z.literal('refund'),
  amount,
  currency: mxn,
  original_transaction_id: z.string(),
});

export type RefundRequest = z.infer<typeof refundSchema>;

/** The body of the tokenizer. */
export const cardSchema = z.object({
  card_number: z.string().regex(/^[0-9]{13,19}$/, 'must be 13 to 19 digits without separators'),
  cardholder_name: name,
  cvv: z.string().regex(/^[0-9]{3,4}$/, 'must be 3 or 4 digits'),
  expiration_month: z.string().regex(/^(0[1-9]|1[0-2])$/, 'must be 01 to 12'),
  // The public material shows both two and four digits.
  expiration_year: z.string().regex(/^([0-9]{2}|[0-9]{4})$/, 'must be 2 or 4 digits'),
});

export type CardFields = Readonly<z.infer<typeof cardSchema>>;
export type CardField = keyof CardFields;
export const cardFieldNames = cardSchema.keyof().options;

export function centavosOf(pesos: number): number {
  return Math.round(pesos * 100);
}
