/** Hosted checkout sessions (docs/gateway-interface.md sections 2.4, 3.1, 4.3 and 4.4). */
import { z } from 'zod';
import { clauses } from '../clause.js';
import {
  compare,
  compareRedirect,
  created,
  currentMilliseconds,
  membersOf,
  success,
  text,
  webUrl,
} from '../compare.js';
import type { GatewayClient } from '../gateway-client.js';
import { inMinutes, shopSession } from '../requests.js';

/** Members with only one allowed value. */
const FIXED = {
  ...membersOf({ session_type: 'payment', checkout_type: 'hosted', payment_method_types: ['card'] }),
  ...membersOf({ ui_config: {}, ui_config_version: 'V1' }),
};

const PENDING = membersOf({ status: 'pending', transaction_status: 'Pending' });
/** The document promises the number after the payment. */
const BEFORE_PAYMENT = { payment_id: z.number().optional(), paid_at: z.null().optional() };
const PAID = {
  ...membersOf({ status: 'completed', transaction_status: 'Success' }),
  payment_id: z.number(),
  paid_at: currentMilliseconds,
};
const METADATA = { order_number: 'N-1', list: [1, 'dos', null], nested: { constructor: 'ñ €' } };

export const sessionClauses = clauses({
  'create-session | 4.3, 2.4.2, 3.1 | a session with the shop’s members and metadata | 201, each member as sent, pending and Pending, times in their units, one URL':
    async (gateway) => {
      const request = { ...shopSession(), metadata: METADATA };
      const times = { created_at: currentMilliseconds, modified_at: currentMilliseconds, paid_at: z.null() };
      const other = { pending_url: z.null(), provider: text, id: text, url: webUrl, payment_id: z.number().optional() };
      const expected = created({ ...PENDING, ...FIXED, ...membersOf(request), ...times, ...other });
      return compare(await gateway.createSession(request), expected);
    },
  'session-defaults | 2.4.1, 8 | a session with the required members only | 24 hours, no metadata, types and version of the document, return_url as sent':
    async (gateway) => {
      const { customer, amount_total, currency, line_items, return_url } = shopSession();
      const answer = await gateway.createSession({ customer, amount_total, currency, line_items, return_url });
      // Tolerates a clock skew of 15 minutes.
      const [least, most] = [inMinutes(23.75 * 60), inMinutes(24.25 * 60)];
      const empty = { success_url: z.null(), pending_url: z.null(), metadata: z.strictObject({}) };
      const others = { expires_at: z.int().min(least).max(most), external_id: text.optional(), return_url: webUrl };
      return compare(answer, created({ ...FIXED, ...others, ...empty }));
    },
  'first-address | 4.3 | a session at {base_url}/api/v1 | 201, pending and Pending': async (gateway) =>
    compare(await gateway.createSession(shopSession(), `${gateway.target.PAYMENTS_BASE_URL}/api/v1`), created(PENDING)),
  'payment-page | settings | the origin of url | one of CHECKOUT_PAGE_ORIGINS, to which alone the shop redirects':
    async (gateway) => {
      const { CHECKOUT_API_URL, CHECKOUT_PAGE_ORIGINS } = gateway.target;
      const { url } = await newSession(gateway, shopSession());
      const origin = URL.canParse(url) ? new URL(url).origin : url;
      const allowed = CHECKOUT_PAGE_ORIGINS ?? [new URL(CHECKOUT_API_URL).origin];
      return compare({ 'origin of url': origin }, z.object({ 'origin of url': z.enum(allowed) }));
    },
  'read-session | 4.4, 2.4.2 | a new session by its id | the same id, url, amount, currency and reference, pending and Pending, not paid':
    async (gateway) => {
      const request = shopSession();
      const { id, url } = await newSession(gateway, request);
      const { expires_at, metadata, customer, line_items } = request;
      const optional = z.object(membersOf({ expires_at, metadata, customer, line_items })).partial().shape;
      const expected = { ...PENDING, ...BEFORE_PAYMENT, ...unchanged(request), ...membersOf({ id, url }), ...optional };
      return compare(await gateway.readSession(id), success(expected));
    },
});

/** Each of them needs a customer on the hosted page. */
export const guidedSessions = clauses(
  {
    'paid-session | 3.1, 4.4 | a session that was paid on its page | redirect to success_url with session_id; completed, Success, payment_id, paid_at in milliseconds':
      async (gateway, tester) => {
        const request = { ...shopSession(), success_url: 'https://shop.example/thanks?order=7' };
        const { id, url } = await newSession(gateway, request);
        const redirect = compareRedirect(await tester('pay', url), request.success_url, id);
        const expected = success({ ...PAID, ...unchanged(request), ...membersOf({ id }) });
        return [...redirect, ...compare(await gateway.readSession(id), expected)];
      },
    'return_url-fallback | 2.4.1, 3.1 | a session without success_url that was paid | redirect to return_url with session_id':
      async (gateway, tester) => {
        const request = { ...shopSession(), success_url: undefined };
        const { id, url } = await newSession(gateway, request);
        return compareRedirect(await tester('pay', url), shopSession()['return_url'], id);
      },
    'declined-session | 3.1, 7 | a session after a declined card, then paid with another card | pending and Declined, not paid; then completed and Success':
      async (gateway, tester) => {
        const { id, url } = await newSession(gateway, shopSession());
        await tester('decline', url);
        const declined = membersOf({ status: 'pending', transaction_status: 'Declined' });
        const first = compare(await gateway.readSession(id), success({ ...declined, ...BEFORE_PAYMENT }));
        await tester('pay', url);
        const second = compare(await gateway.readSession(id), success(PAID));
        return [...first, ...second.map((difference) => `paid afterwards: ${difference}`)];
      },
    'cancelled-session | 3.1, 2.4.1 | a session that was cancelled on its page | not paid, and a status of the document; a redirect leads to return_url with session_id':
      async (gateway, tester) => {
        const request = { ...shopSession(), success_url: 'https://shop.example/thanks' };
        const { id, url } = await newSession(gateway, request);
        const landing = await tester('cancel', url);
        const ended = { status: z.enum(['cancelled', 'expired', 'pending']), transaction_status: UNPAID };
        const redirect = landing === '' ? [] : compareRedirect(landing, shopSession()['return_url'], id);
        return [...redirect, ...compare(await gateway.readSession(id), success({ ...ended, ...BEFORE_PAYMENT }))];
      },
    'expired-session | 3.1, 2.4.2 | a session after its expires_at | expired, not paid': async (gateway, tester) => {
      const { id, url } = await newSession(gateway, { ...shopSession(), expires_at: inMinutes(30.5) });
      await tester('expire', url);
      const expected = { status: z.literal('expired'), transaction_status: UNPAID, ...BEFORE_PAYMENT };
      return compare(await gateway.readSession(id), success(expected));
    },
  },
  'page',
);

const UNPAID = z.enum(['Pending', 'Declined', 'Expired']);

function unchanged({ amount_total, currency, external_id }: Readonly<Record<string, unknown>>) {
  return membersOf({ amount_total, currency, external_id });
}

async function newSession(
  gateway: GatewayClient,
  request: object,
): Promise<{ readonly id: string; readonly url: string }> {
  const { id, url } = Object((await gateway.createSession(request)).json);
  return { id: String(id), url: String(url) };
}
