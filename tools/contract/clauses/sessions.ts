/** Hosted checkout sessions (docs/gateway-interface.md sections 2.4, 4.3 and 4.4). */
import { z } from 'zod';
import type { Clauses } from '../clause.js';
import { compare, created, currentMilliseconds, membersOf, REFUSED, success, text, webUrl } from '../compare.js';
import { inMinutes, shopSession } from '../requests.js';

/** Members with only one allowed value. */
const FIXED = {
  ...membersOf({ session_type: 'payment', checkout_type: 'hosted', payment_method_types: ['card'] }),
  ...membersOf({ ui_config: {}, ui_config_version: 'V1' }),
};

/** Members of every answer about a pending session, complete or abbreviated. */
const PENDING = {
  id: text,
  url: webUrl,
  payment_id: z.number(),
  ...membersOf({ status: 'pending', transaction_status: 'Pending' }),
};

export const sessionClauses: Clauses = {
  async 'create-session (4.3, 2.4.2)'(gateway) {
    const request = shopSession();
    const answer = await gateway.createSession(request);
    const times = { created_at: currentMilliseconds, modified_at: currentMilliseconds, paid_at: z.null() };
    const other = { pending_url: z.null(), provider: text };
    return compare(answer, created({ ...PENDING, ...FIXED, ...membersOf(request), ...times, ...other }));
  },

  async 'session-defaults (2.4.1)'(gateway) {
    const answer = await gateway.createSession(minimalSession());
    // Tolerates a clock skew of 15 minutes.
    const expires_at = z
      .int()
      .min(inMinutes(23.75 * 60))
      .max(inMinutes(24.25 * 60));
    const empty = { success_url: z.null(), pending_url: z.null(), metadata: z.strictObject({}) };
    return compare(answer, created({ ...FIXED, expires_at, ...empty, external_id: text.optional() }));
  },

  // The second form is the one of `create-session`, unless CHECKOUT_API_URL ends with /api/v1.
  async 'first-address (4.3)'(gateway) {
    const address = `${gateway.target.PAYMENTS_BASE_URL}/api/v1`;
    return compare(await gateway.createSession(shopSession(), {}, address), created(PENDING));
  },

  // Another idempotency key, so this is no repetition of the first request.
  async 'repeated-external_id (2.4.1)'(gateway) {
    const request = shopSession();
    await gateway.createSession(request);
    return compare(await gateway.createSession(request), REFUSED);
  },

  // The shop redirects customers only to these origins.
  async 'payment-page (settings)'(gateway) {
    const { CHECKOUT_API_URL, CHECKOUT_PAGE_ORIGINS } = gateway.target;
    const { url } = Object((await gateway.createSession(shopSession())).json);
    const origin = URL.canParse(url) ? new URL(url).origin : url;
    const allowed = CHECKOUT_PAGE_ORIGINS ?? [new URL(CHECKOUT_API_URL).origin];
    return compare({ 'origin of url': origin }, z.object({ 'origin of url': z.enum(allowed) }));
  },

  async 'read-session (4.4)'(gateway) {
    const request = shopSession();
    const { id, url, payment_id } = Object((await gateway.createSession(request)).json);
    const answer = await gateway.readSession(String(id));
    const { amount_total, currency, external_id, metadata, expires_at } = request;
    const unchanged = membersOf({ amount_total, currency, external_id, id, url, payment_id });
    const optional = z.object({ ...membersOf({ expires_at, metadata }), paid_at: z.null() }).partial().shape;
    return compare(answer, success({ ...PENDING, ...unchanged, ...optional }));
  },
};

/** Clauses that would have to wait, each with the reason. */
export const untestedClauses = {
  'pending-past-expires_at (2.4.2, 3.1)': 'the shortest session ends after 30 minutes',
} as const;

/** Returns a session request with only the members that section 2.4.1 requires. */
function minimalSession(): Readonly<Record<string, unknown>> {
  const { customer, amount_total, currency, line_items, return_url } = shopSession();
  return { customer, amount_total, currency, line_items, return_url };
}
