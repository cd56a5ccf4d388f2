/** Hosted checkout sessions (interface.md sections 2.4, 4.3 and 4.4). */
import { type Clause, expectCreated, expectSuccess } from '../clause.js';
import {
  between,
  compare,
  compareMembers,
  containing,
  type Expectation,
  exactly,
  ifThere,
  member,
  millisecondsOfToday,
  number,
  object,
  text,
  webAddress,
} from '../expectation.js';
import type { Service } from '../gateway.js';
import { type Body, inMinutes, leastSession, wholeSession, without } from '../requests.js';

export const sessionClauses: readonly Clause[] = [
  {
    name: 'create-session',
    section: '4.3, 2.4.2',
    says: 'creating a session returns 201 and the complete session object',
    async examine(service) {
      const body = wholeSession(inMinutes(60));
      const answer = await service.createSession(body);
      return [...expectCreated(answer), ...compareMembers(answer.json, wholeObject(body))];
    },
  },
  {
    name: 'session-defaults',
    section: '2.4.1',
    says: 'missing fields have their defaults: 24 hours, card, hosted, payment, V1, no metadata',
    async examine(service) {
      const answer = await service.createSession(leastSession());
      return [...expectCreated(answer), ...compareMembers(answer.json, defaults())];
    },
  },
  {
    name: 'success-url-alone',
    section: '2.4.1',
    says: 'return_url is optional with a success_url',
    async examine(service) {
      const body = { ...without(leastSession(), 'return_url'), success_url: 'https://shop.example/thanks' };
      const answer = await service.createSession(body);
      const expected = { success_url: exactly(body.success_url) };
      return [...expectCreated(answer), ...compareMembers(answer.json, expected)];
    },
  },
  {
    name: 'two-sessions',
    section: '2.4.2',
    says: 'each session has a unique id and a unique URL',
    async examine(service) {
      const [one, other] = [await create(service), await create(service)];
      return ['id', 'url'].flatMap((name) =>
        compare(name, member(other, name), differingFrom(member(one, name))),
      );
    },
  },
  {
    name: 'payment-page',
    section: 'settings',
    says: 'the origin of the payment page is in CHECKOUT_PAGE_ORIGINS, or is that of CHECKOUT_API_URL',
    async examine(service) {
      const url = String(member(await create(service), 'url'));
      const origin = URL.canParse(url) ? new URL(url).origin : url;
      return compare('origin of url', origin, oneOf(service.target.pageOrigins));
    },
  },
  {
    name: 'read-session',
    section: '4.4',
    says: 'a lookup returns the session as it was created',
    async examine(service) {
      const body = wholeSession(inMinutes(60));
      const created = (await service.createSession(body)).json;
      const answer = await service.readSession(String(member(created, 'id')));
      return [...expectSuccess(answer), ...compareMembers(answer.json, readBack(body, created))];
    },
  },
];

async function create(service: Service): Promise<unknown> {
  return (await service.createSession(leastSession())).json;
}

function differingFrom(other: unknown): Expectation {
  return { words: 'another than before', holds: (value) => value !== undefined && value !== other };
}

function oneOf(origins: readonly string[]): Expectation {
  return { words: origins.join(' or '), holds: (value) => origins.includes(String(value)) };
}

/** Members of every response about a pending session, complete or abbreviated. */
function essentials(body: Body): Readonly<Record<string, Expectation>> {
  return {
    id: text,
    url: webAddress,
    status: exactly('pending'),
    transaction_status: exactly('Pending'),
    payment_id: number,
    amount_total: exactly(body['amount_total']),
    currency: exactly('MXN'),
    external_id: exactly(body['external_id']),
  };
}

function wholeObject(body: Body): Readonly<Record<string, Expectation>> {
  const [line] = body['line_items'] as readonly Body[];
  return {
    ...essentials(body),
    expires_at: exactly(body['expires_at']),
    success_url: exactly(body['success_url']),
    return_url: exactly(body['return_url']),
    pending_url: exactly(null),
    metadata: containing(body['metadata'] as Body),
    customer: containing(body['customer'] as Body),
    line_items: listOf(containing(line ?? {})),
    created_at: millisecondsOfToday,
    modified_at: millisecondsOfToday,
    paid_at: exactly(null),
    provider: text,
    ...fixed,
  };
}

/** The interface has one value for each. */
const fixed = {
  session_type: exactly('payment'),
  checkout_type: exactly('hosted'),
  payment_method_types: exactly(['card']),
  ui_config: object,
  ui_config_version: exactly('V1'),
} as const;

const HOUR = 60;

function defaults(): Readonly<Record<string, Expectation>> {
  return {
    ...fixed,
    // Tolerates a clock skew of 15 minutes.
    expires_at: between(inMinutes(23.75 * HOUR), inMinutes(24.25 * HOUR)),
    success_url: exactly(null),
    pending_url: exactly(null),
    metadata: exactly({}),
  };
}

function readBack(body: Body, created: unknown): Readonly<Record<string, Expectation>> {
  return {
    ...essentials(body),
    id: exactly(member(created, 'id')),
    url: exactly(member(created, 'url')),
    payment_id: exactly(member(created, 'payment_id')),
    expires_at: ifThere(exactly(body['expires_at'])),
    metadata: ifThere(containing(body['metadata'] as Body)),
    paid_at: ifThere(exactly(null)),
  };
}

function listOf(item: Expectation): Expectation {
  return {
    words: `one item: ${item.words}`,
    holds: (value) => Array.isArray(value) && value.length === 1 && item.holds(value[0]),
  };
}
