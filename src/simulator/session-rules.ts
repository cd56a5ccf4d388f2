/** The field table of the create-session body. */
import { z } from 'zod';
import type { SessionRequest } from './model.js';
import type { Details } from './refusal.js';
import { email, metadata, mxn, name, type Rules, webAddress } from './validate.js';

const minutes = 60;
const shortestSeconds = 30 * minutes;
const longestSeconds = 24 * 60 * minutes;
/** A request takes a moment to arrive; its window is not measured to the second. */
const slackSeconds = 5;

const minor = z.int('must be a whole number of centavos').positive('must be more than 0');

const schema: z.ZodType<SessionRequest> = z.object({
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

/** The rules of the create-session body at this moment. */
export function sessionRules(nowMs: number): Rules<SessionRequest> {
  return { schema, across: (body) => ({ ...returnRule(body), ...expiryRule(body, nowMs) }) };
}

/** The end of a session that names none. */
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
