import { setTimeout as delay } from 'node:timers/promises';
import { inParallel, numbers, until } from '../../../test/support/crowd.js';
import type { Reply } from '../../../test/support/http.js';
import {
  approveAtBank,
  CARDS,
  Customer,
  expectStatus,
  pathOf,
  pay,
  sessionBehind,
  stateOn,
} from '../customer.js';
import { type Aftermath, type Scale, type Scenario, unless } from '../scenario.js';
import { untilAllPaid } from '../settling.js';
import type { Stage } from '../stage.js';
import type { Call } from '../strings.js';

/** Twelve kinds of faults. The first three last until the shop's deadline. */
const KINDS = {
  latency: { kind: 'latency', ms: 40_000 },
  drip: { kind: 'drip', bytesPerSecond: 5 },
  hang: { kind: 'hang' },
  'drop-before': { kind: 'drop', when: 'before' },
  'drop-after': { kind: 'drop', when: 'after' },
  'status-500': { kind: 'status', status: 500 },
  'status-503': { kind: 'status', status: 503 },
  'status-401': { kind: 'status', status: 401 },
  'status-429': { kind: 'status', status: 429, headers: { 'Retry-After': '1' } },
  html: { kind: 'raw', body: '<!doctype html><h1>Bad gateway</h1>', contentType: 'text/html' },
  'gzip-bomb': { kind: 'gzip-bomb', bytes: 8_000_000 },
  redirect: { kind: 'redirect', location: 'http://localhost:9/elsewhere' },
} as const;
type Kind = keyof typeof KINDS;

const GRACE_MS = 500;

/**
 * Slow faults are met by one customer every 50 ms, so that response times contain no CPU queueing. The circuit
 * breaker does not open before the last customer has sent the call.
 */
const SLOW_KINDS: readonly Kind[] = ['hang', 'latency', 'drip', 'gzip-bomb'];
const APART_MS = 50;

const SHORT_KINDS: readonly Kind[] = ['drop-after', 'html'];
/** Longer than the open time of the circuit breaker and than a rate limit. */
const HEALING_MS = 2_300;

export const gatewayFaults: Scenario = {
  id: 'gateway-faults',
  says: 'Every kind of fault at every gateway call: no wrong state, and each page within its deadline',
  ties: 'cases 44-60, 64, 68, complaints 17, 19, 20, 44',
  limitMs: 900_000,
  play: playFaults,
};

/** A response that a customer received while a call failed. `isTrue`: it matches the outcome. */
interface Seen {
  readonly reply: Reply;
  readonly isTrue: boolean;
}

/** Prepares a customer before the fault is injected. The returned function makes the call under test. */
type Trial = (stage: Stage, customer: Customer) => Promise<() => Promise<readonly Seen[]>>;

/** A gateway call and the trial that triggers it. */
interface Door {
  readonly call: Call;
  readonly trial: Trial;
  /** Time limit of a page that waits for the call, in milliseconds, without the grace period. */
  readonly limitMs: number;
}

/** The gateway has one host per payment flow, each with its own circuit breaker. Both are tested in parallel. */
interface Host {
  readonly begin: Door;
  readonly lookUp: Door;
  /** Submits a checkout. One successful call closes the circuit breaker. */
  heals(customer: Customer): Promise<Reply>;
  /** Status of the shop's response to a successful checkout. */
  readonly healed: number;
}

const HOSTS: readonly Host[] = [
  {
    begin: { call: 'create-session', trial: beginHosted, limitMs: 8_000 },
    lookUp: { call: 'read-session', trial: returnFromPage, limitMs: 4_000 },
    heals: (customer) => customer.payHosted(),
    healed: 302,
  },
  {
    begin: { call: 'process', trial: beginByCard, limitMs: 25_000 },
    lookUp: { call: 'read-transaction', trial: returnFromBank, limitMs: 4_000 },
    heals: (customer) => customer.payByCard(),
    healed: 303,
  },
];

async function beginHosted(stage: Stage, customer: Customer): ReturnType<Trial> {
  expectStatus(await customer.addToCart(), 303);
  return async () => {
    const reply = await customer.payHosted();
    const isTrue = reply.status === 502 || reply.status === 503 || sessionBehind(stage, reply) !== undefined;
    return [{ reply, isTrue }];
  };
}

async function beginByCard(_stage: Stage, customer: Customer): ReturnType<Trial> {
  expectStatus(await customer.addToCart(), 303);
  return async () => {
    const reply = await customer.payByCard();
    // Either the card was certainly not charged and the form returns, or the order shows an unknown outcome.
    if (reply.status !== 303) return [{ reply, isTrue: reply.status === 502 || reply.status === 503 }];
    const page = await customer.get(pathOf(reply.headers.location ?? '/'));
    return [{ reply, isTrue: stateOn(page) === 'outcome_unknown' }];
  };
}

async function returnFromPage(stage: Stage, customer: Customer): ReturnType<Trial> {
  const back = await pay(stage, (await customer.openPage()).session);
  return () => returnUnknowing(customer, back);
}

async function returnFromBank(stage: Stage, customer: Customer): ReturnType<Trial> {
  expectStatus(await customer.addToCart(), 303);
  const bank = expectStatus(await customer.payByCard(CARDS.challenged), 302).headers.location;
  const back = await approveAtBank(stage, bank ?? '');
  return () => returnUnknowing(customer, back);
}

async function returnUnknowing(customer: Customer, back: string): Promise<readonly Seen[]> {
  const reply = await customer.get(back);
  const page = await customer.get(pathOf(reply.headers.location ?? '/'));
  return [
    { reply, isTrue: reply.status === 303 },
    { reply: page, isTrue: stateOn(page) === 'pending' },
  ];
}

async function playFaults(stage: Stage, scale: Scale): Promise<Aftermath> {
  const kinds = scale.short ? SHORT_KINDS : (Object.keys(KINDS) as readonly Kind[]);
  const crowd = scale.of({ full: 20, short: 3 });
  const wrong: string[] = [];
  await stage.strings.webhooks('off');
  for (const kind of kinds) {
    for (const step of ['begin', 'lookUp'] as const) {
      const doors = HOSTS.map((host) => host[step]);
      wrong.push(...(await failTogether(stage, { kind, doors, crowd })));
    }
    await tellByWebhook(stage);
  }
  return async () => {
    const settled = await untilAllPaid(stage, 90_000);
    const calls = HOSTS.length * 2;
    const pages = kinds.length * calls * crowd;
    const { paid, seen, lost } = settled;
    return {
      figures: `${kinds.length} kinds × ${calls} calls × ${crowd} = ${pages}: ${wrong.length} wrong or late; ${paid} charges paid, ${seen} in review, ${lost} lost`,
      problems: [
        ...unless(wrong.length === 0, `${wrong.length} wrong or late: ${wrong.slice(0, 3).join('; ')}`),
        ...unless(settled.allPaid, `${lost} charges lost, ${seen} in review`),
      ],
    };
  };
}

interface Failing {
  readonly kind: Kind;
  readonly doors: readonly Door[];
  readonly crowd: number;
}

async function failTogether(stage: Stage, { kind, doors, crowd }: Failing): Promise<readonly string[]> {
  const entered = await Promise.all(
    doors.map(async (door) => ({
      ...door,
      walks: await inParallel(numbers(crowd), 8, () => door.trial(stage, new Customer(stage))),
    })),
  );
  for (const { call } of doors) await stage.strings.fault(call, KINDS[kind]);
  const seen = await Promise.all(
    entered.map(async ({ call, walks, limitMs }) => {
      const apart = SLOW_KINDS.includes(kind) ? APART_MS : 0;
      const walkIn = (walk: (typeof walks)[number], place: number) => delay(place * apart).then(walk);
      const pages = (await inParallel(walks, crowd, walkIn)).flat();
      return pages.flatMap((page) => evaluatePayment(page, `${kind} at ${call}`, limitMs + GRACE_MS));
    }),
  );
  await stage.strings.clearFaults();
  await delay(HEALING_MS);
  await heal(stage);
  return seen.flat();
}

function evaluatePayment({ reply, isTrue }: Seen, where: string, limitMs: number): readonly string[] {
  return [
    ...unless(isTrue, `${where}: answered ${reply.status} ${stateOn(reply)}`),
    ...unless(reply.ms <= limitMs, `${where}: took ${Math.round(reply.ms)} ms`),
  ];
}

/**
 * Makes one successful call per host. This closes the circuit breakers, so that every customer meets the next
 * fault.
 */
async function heal(stage: Stage): Promise<void> {
  const healed = await until(
    async () => {
      const tried = await inParallel(HOSTS, 1, async ({ heals, healed }) => {
        const customer = new Customer(stage);
        await customer.addToCart();
        return (await heals(customer)).status === healed;
      });
      return tried.every(Boolean);
    },
    { withinMs: 15_000, everyMs: 500 },
  );
  if (!healed) throw new Error('the shop did not call the gateway again after the faults');
}

const told = new WeakMap<Stage, Set<string>>();

/**
 * Delivers the card webhook events that the simulator held back. The shop finds payments with a lost response
 * through them.
 */
async function tellByWebhook(stage: Stage): Promise<void> {
  const known = told.get(stage) ?? new Set();
  told.set(stage, known);
  const fresh = (await stage.strings.deliveries()).filter(
    ({ id, event }) => event.startsWith('payment_') && !known.has(id),
  );
  for (const { id } of fresh) known.add(id);
  await inParallel(fresh, 8, ({ id }) => stage.strings.sendWebhookAgain(id));
}
