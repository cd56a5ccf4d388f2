/** Hosted checkout sessions (docs/gateway-interface.md sections 2.4, 4.3 and 4.4). */
import { z } from 'zod';
import type { Clause } from '../clause.js';
import {
  compare,
  created,
  currentMilliseconds,
  matching,
  membersOf,
  success,
  text,
  webUrl,
} from '../compare.js';
import type { GatewayClient } from '../gateway-client.js';
import { completeSession, inMinutes, minimalSession, without } from '../requests.js';

/** Members with only one allowed value. */
const FIXED = {
  session_type: z.literal('payment'),
  checkout_type: z.literal('hosted'),
  payment_method_types: matching(['card']),
  ui_config: z.looseObject({}),
  ui_config_version: z.literal('V1'),
};

/** Members of every answer about a pending session, complete or abbreviated. */
const PENDING = {
  id: text,
  url: webUrl,
  status: z.literal('pending'),
  transaction_status: z.literal('Pending'),
  payment_id: z.number(),
};

export const sessionClauses: readonly Clause[] = [
  {
    name: 'create-session',
    section: '4.3, 2.4.2',
    async run(gateway) {
      const request = completeSession();
      const answer = await gateway.createSession(request);
      const times = { created_at: currentMilliseconds, modified_at: currentMilliseconds, paid_at: z.null() };
      const other = { pending_url: z.null(), provider: text };
      return compare(answer, created({ ...PENDING, ...FIXED, ...membersOf(request), ...times, ...other }));
    },
  },
  {
    name: 'session-defaults',
    section: '2.4.1',
    async run(gateway) {
      const answer = await gateway.createSession(minimalSession());
      // Tolerates a clock skew of 15 minutes.
      const expiresAt = z
        .int()
        .min(inMinutes(23.75 * 60))
        .max(inMinutes(24.25 * 60));
      const empty = { success_url: z.null(), pending_url: z.null(), metadata: z.strictObject({}) };
      return compare(answer, created({ ...FIXED, expires_at: expiresAt, ...empty }));
    },
  },
  {
    name: 'success-url-alone',
    section: '2.4.1',
    async run(gateway) {
      const success_url = 'https://shop.example/thanks';
      const answer = await gateway.createSession({ ...without(minimalSession(), 'return_url'), success_url });
      return compare(answer, created({ success_url: z.literal(success_url) }));
    },
  },
  {
    name: 'two-sessions',
    section: '2.4.2',
    async run(gateway) {
      const [first, second] = [await createSession(gateway), await createSession(gateway)];
      const other = (value: string) =>
        z.string().refine((found) => found !== value, 'expected another value');
      return compare(second, z.object({ id: other(first.id), url: other(first.url) }));
    },
  },
  // The shop redirects customers only to these origins.
  {
    name: 'payment-page',
    section: 'settings',
    async run(gateway) {
      const { url } = await createSession(gateway);
      const origin = URL.canParse(url) ? new URL(url).origin : url;
      return compare(
        { 'origin of url': origin },
        z.object({ 'origin of url': z.enum(gateway.target.pageOrigins) }),
      );
    },
  },
  {
    name: 'read-session',
    section: '4.4',
    async run(gateway) {
      const request = completeSession();
      const session = Object((await gateway.createSession(request)).json);
      const answer = await gateway.readSession(String(session.id));
      const { amount_total, currency, external_id, metadata, expires_at } = request;
      const { id, url, payment_id } = session;
      const unchanged = membersOf({ amount_total, currency, external_id, id, url, payment_id });
      const optional = {
        expires_at: z.literal(expires_at).optional(),
        metadata: matching(metadata).optional(),
        paid_at: z.null().optional(),
      };
      return compare(answer, success({ ...PENDING, ...unchanged, ...optional }));
    },
  },
];

async function createSession(gateway: GatewayClient): Promise<{ readonly id: string; readonly url: string }> {
  const { json } = await gateway.createSession(minimalSession());
  const { id, url } = Object(json);
  return { id: String(id), url: String(url) };
}
