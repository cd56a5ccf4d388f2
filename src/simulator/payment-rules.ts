/** The field table of the process body. */
import { z } from 'zod';
import { type CardField, cardFieldNames, type PaymentRequest, type VaultToken } from './model.js';
import type { Details } from './refusal.js';
import { email, isRecord, metadata, mxn, name, type Rules, webAddress } from './validate.js';

const amount = z
  .number()
  .min(0.01, 'must be at least 0.01')
  .max(15_000_000, 'must be at most 15,000,000')
  .refine((value) => minorOf(value) / 100 === value, 'must have at most two decimals');

const schema: z.ZodType<PaymentRequest> = z.object({
  operation_type: z.literal('payment', 'must be payment'),
  amount,
  currency: mxn,
  customer: z.object({ name, email }),
  payment_method: z.object({
    type: z.literal('CARD', 'must be CARD'),
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

/** The rules of the process body; `tokenOf` is what the vault knows. */
export function paymentRules(tokenOf: (id: string) => VaultToken | undefined): Rules<PaymentRequest> {
  return { schema, across: (body) => tokenRule(body['payment_method'], tokenOf) };
}

/** Centavos of an amount in pesos. */
export function minorOf(pesos: number): number {
  return Math.round(pesos * 100);
}

function tokenRule(method: unknown, tokenOf: (id: string) => VaultToken | undefined): Details {
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
  tokenOf: (id: string) => VaultToken | undefined,
): string | undefined {
  if (typeof value !== 'string') return undefined;
  const token = tokenOf(value);
  if (token === undefined) return 'must be a token of the vault';
  return token.field === field ? undefined : `is a token of ${token.field}`;
}
