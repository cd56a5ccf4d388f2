import { setTimeout as delay } from 'node:timers/promises';
import { inParallel, numbers, until } from '../../../test/support/crowd.js';
import { type Customer, customerWithCart, paySession, type Reply, redirectedSession } from '../customer.js';
import type { Environment } from '../environment.js';
import { failures, type Scenario } from '../scenario.js';
import { waitUntilPaid } from '../settlement.js';
import { type Call, type Fault, resendCardWebhooks } from '../simulator-control.js';

/** The first four faults are slow, three of them until the shop's deadline. */
const FAULTS = {
  latency: { kind: 'latency', ms: 40_000 },
  drip: { kind: 'drip', bytesPerSecond: 5 },
  hang: { kind: 'hang' },
  'gzip-bomb': { kind: 'gzip-bomb', bytes: 8_000_000 },
  'drop-before': { kind: 'drop', when: 'before' },
  'drop-after': { kind: 'drop', when: 'after' },
  'status-500': { kind: 'status', status: 500 },
  'status-503': { kind: 'status', status: 503 },
  'status-401': { kind: 'status', status: 401 },
  'status-429': { kind: 'status', status: 429, headers: { 'Retry-After': '1' } },
  html: { kind: 'raw', body: '<!doctype html><h1>Bad gateway</h1>', contentType: 'text/html' },
  redirect: { kind: 'redirect', location: 'http://localhost:9/elsewhere' },
} as const satisfies Readonly<Record<string, Fault>>;

const SLOW_FAULTS = ['latency', 'drip', 'hang', 'gzip-bomb'];
const SHORT_RUN = ['drop-after', 'html'];

/**
 * Slow faults are met by one customer every 50 ms, so that response times contain no CPU queueing. The circuit
 * breaker does not open before the last customer has sent the call.
 */
const SLOW_INTERVAL_MS = 50;
const GRACE_MS = 500;
/** Longer than the open time of the circuit breaker and than a rate limit. */
const RECOVERY_MS = 2_300;

/** Sends the request under test. Returns what the customer saw, or `undefined` if it was correct. */
type Trial = () => Promise<string | undefined>;

interface FaultyCall {
  readonly call: Call;
  /** Deadline of a page that waits for the call. */
  readonly limitMs: number;
  /** Runs before the fault is injected, for a customer with a cart. */
  prepare(environment: Environment, customer: Customer): Promise<Trial>;
}

/** The gateway has one host per flow, each with its own circuit breaker. Both are tested in parallel. */
const STARTS: readonly FaultyCall[] = [
  { call: 'create-session', limitMs: 8_000, prepare: prepareHosted },
  { call: 'process', limitMs: 25_000, prepare: prepareCard },
];
const LOOKUPS: readonly FaultyCall[] = [
  { call: 'read-session', limitMs: 4_000, prepare: prepareReturn },
  { call: 'read-transaction', limitMs: 4_000, prepare: prepareReturnFromBank },
];

export const gatewayFaults: Scenario = {
  id: 'gateway-faults',
  description: 'Every kind of fault at every gateway call: no wrong state, and each page within its deadline',
  limitMs: 900_000,
  async run(environment, scale) {
    const names = Object.keys(FAULTS).filter((name) => !scale.short || SHORT_RUN.includes(name));
    const customers = scale.of({ full: 20, short: 3 });
    const wrong: string[] = [];
    await environment.control('settings', { webhooks: 'off' });
    for (const name of names) {
      for (const calls of [STARTS, LOOKUPS])
        wrong.push(...(await failCalls(environment, { name, calls, customers })));
      // The shop finds card payments with a lost response through their webhook events.
      await resendCardWebhooks(environment.control);
    }
    return async () => {
      const { paid, review, lost, allPaid } = await waitUntilPaid(environment, 90_000);
      const trials = names.length * (STARTS.length + LOOKUPS.length) * customers;
      return {
        summary: `${names.length} faults, ${trials} calls: ${wrong.length} wrong or late; ${paid} charges paid, ${review} in review, ${lost} lost`,
        problems: failures([
          [wrong.length === 0, `${wrong.length} wrong or late: ${wrong.slice(0, 3).join('; ')}`],
          [allPaid, `${lost} charges lost, ${review} in review`],
        ]),
      };
    };
  },
};

interface Failing {
  readonly name: string;
  readonly calls: readonly FaultyCall[];
  readonly customers: number;
}

async function failCalls(environment: Environment, { name, calls, customers }: Failing) {
  const fault = FAULTS[name as keyof typeof FAULTS];
  const interval = SLOW_FAULTS.includes(name) ? SLOW_INTERVAL_MS : 0;
  const prepareTrial = async ({ call, limitMs, prepare }: FaultyCall) => {
    const customer = await customerWithCart(environment);
    return { call, limitMs, customer, send: await prepare(environment, customer) };
  };
  const trials = await inParallel(numbers(customers), 8, () => Promise.all(calls.map(prepareTrial)));
  for (const { call } of calls) await environment.control('fault', call, fault);
  const problems = await Promise.all(
    trials.map(async (perCall, index) => {
      await delay(index * interval);
      return Promise.all(
        perCall.map(async ({ call, limitMs, customer, send }) => {
          const wrong = await send();
          return failures([
            [wrong === undefined, `${name} at ${call}: ${wrong}`],
            [customer.slowestMs <= limitMs + GRACE_MS, `${name} at ${call}: took ${customer.slowestMs} ms`],
          ]);
        }),
      );
    }),
  );
  await environment.control('clearFaults');
  await delay(RECOVERY_MS);
  await closeCircuitBreakers(environment);
  return problems.flat(2);
}

async function prepareHosted(environment: Environment, customer: Customer): Promise<Trial> {
  return async () => {
    const reply = await customer.payHosted();
    return redirectedSession(environment, reply) === undefined ? unlessUnavailable(reply) : undefined;
  };
}

async function prepareCard(_: Environment, customer: Customer): Promise<Trial> {
  return async () => {
    const reply = await customer.payByCard();
    // Either the card was certainly not charged and the form returns, or the order shows an unknown outcome.
    if (reply.status !== 303) return unlessUnavailable(reply);
    const state = await customer.followToOrder(reply);
    return state === 'outcome_unknown' ? undefined : `the order page showed "${state}"`;
  };
}

function unlessUnavailable({ status }: Reply): string | undefined {
  return status === 502 || status === 503 ? undefined : `answered ${status}`;
}

async function prepareReturn(environment: Environment, customer: Customer): Promise<Trial> {
  const session = redirectedSession(environment, await customer.payHosted()) ?? '';
  return returnTrial(customer, await paySession(environment, session));
}

async function prepareReturnFromBank(_: Environment, customer: Customer): Promise<Trial> {
  return returnTrial(customer, await customer.approveAtBank(await customer.openBankPage()));
}

function returnTrial(customer: Customer, returnPath: string): Trial {
  return async () => {
    const state = await customer.returnToShop(returnPath).catch(String);
    return state === 'pending' ? undefined : `the order page showed "${state}"`;
  };
}

/** One successful call per host closes its circuit breaker, so that every customer meets the next fault. */
async function closeCircuitBreakers(environment: Environment): Promise<void> {
  const areClosed = async () => {
    const hosted = await (await customerWithCart(environment)).payHosted();
    const card = await (await customerWithCart(environment)).payByCard();
    return hosted.status === 302 && card.status === 303;
  };
  if (!(await until(areClosed, { withinMs: 15_000, everyMs: 500 })))
    throw new Error('the shop did not call the gateway again after the faults');
}
