/** The bodies of create-session and process (interface, sections 2.1, 2.4.1 and 8). */
import { z } from 'zod';
import { email, metadata, mxn, name, webAddress } from './validate.js';

const minExpirySeconds = 30 * 60;
const maxExpirySeconds = 24 * 60 * 60;
/** Tolerance for the time between sending and arrival. */
const toleranceSeconds = 5;

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

/** The schema of the create-session body. The window of `expires_at` depends on the clock. */
export function sessionSchema(now: () => number) {
  const inWindow = (expiresAt: number) => {
    const seconds = expiresAt - now() / 1000;
    return seconds >= minExpirySeconds - toleranceSeconds && seconds <= maxExpirySeconds + toleranceSeconds;
  };
  const expiresAt = z.int('must be whole Unix seconds');
  return z
    .object({
      customer: z.object({ first_name: name, last_name: name, email }),
      amount_total: minor,
      currency: mxn,
      line_items: z.array(lineItem).min(1, 'must have at least one item'),
      external_id: z.string().max(255, 'must have at most 255 characters').optional(),
      expires_at: expiresAt
        .refine(inWindow, 'must lie between 30 minutes and 24 hours in the future')
        .optional(),
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
}

/** The accepted body of a create-session call. */
export type SessionRequest = z.infer<ReturnType<typeof sessionSchema>>;

/** The expiry of a session without `expires_at`, in Unix seconds. */
export function defaultExpiry(nowMs: number): number {
  return Math.floor(nowMs / 1000) + maxExpirySeconds;
}

const amount = z
  .number()
  .min(0.01, 'must be at least 0.01')
  .max(15_000_000, 'must be at most 15,000,000')
  .refine((value) => centavosOf(value) / 100 === value, 'must have at most two decimals');

/** The schema of the process body. Each card field must be a token that was issued for it. */
export function paymentSchema(findToken: (id: string) => { readonly field: string } | undefined) {
  const tokenOf = (field: string) =>
    z.string().superRefine((id, context) => {
      const token = findToken(id);
      if (token === undefined) context.addIssue('must be a token of the tokenizer');
      else if (token.field !== field) context.addIssue(`is a token of ${token.field}`);
    });
  return z.object({
    operation_type: z.literal('payment', 'must be payment'),
    amount,
    currency: mxn,
    customer: z.object({ name, email }),
    payment_method: z.object({
      // The gateway ignores case.
      type: z.string().regex(/^card$/i, 'must be CARD'),
      card_number: tokenOf('card_number'),
      cardholder_name: tokenOf('cardholder_name'),
      cvv: tokenOf('cvv'),
      expiration_month: tokenOf('expiration_month'),
      expiration_year: tokenOf('expiration_year'),
    }),
    client_reference: name,
    return_url: webAddress,
    metadata,
  });
}

/** The accepted body of a process call; the card fields are tokens. */
export type PaymentRequest = z.infer<ReturnType<typeof paymentSchema>>;

/** The schema of a refund (public material; the interface shows none). */
export const refundSchema = z.object({
  operation_type: z.literal('refund'),
  amount,
  currency: mxn,
  original_transaction_id: z.string(),
});

export type RefundRequest = z.infer<typeof refundSchema>;

export function centavosOf(pesos: number): number {
  return Math.round(pesos * 100);
}
