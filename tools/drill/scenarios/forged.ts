/** Falsified responses, forged returns and forged webhooks, generated from a seed. None may mark an order as paid. */
import { setTimeout as delay } from 'node:timers/promises';
import { inParallel, numbers } from '../../../test/support/crowd.js';
import { exchange, type Reply } from '../../../test/support/http.js';
import { CARDS, Customer, expectStatus, pay } from '../customer.js';
import { type ForgedRequest, forgedReturn, forgedWebhook, type Loot } from '../forgeries.js';
import { spoiltOpening, spoiltPayment, spoiltSession } from '../mutations.js';
import { type Aftermath, at, type Finding, type Scale, type Scenario, unless } from '../scenario.js';
import type { Stage } from '../stage.js';
import type { Call } from '../strings.js';

/** An order is looked up at most once per second, so rounds start 1.06 s apart. */
const ROUND_MS = 1_060;

export const forgedAnswers: Scenario = {
  id: 'forged-answers',
  says: 'Gateway responses with a wrong amount, currency, reference, id, status or type never mark an order as paid',
  ties: 'cases 5-9, 55-60, 85, 86, complaints 40-42',
  limitMs: 300_000,
  play: playAnswers,
};

async function playAnswers(stage: Stage, { of, random }: Scale): Promise<Aftermath> {
  const { strings } = stage;
  await strings.webhooks('off');
  const wanted = of({ full: 3_600, short: 240 });
  const ways = WAYS.map((way) => ({ ...way, count: of(way.orders) }));
  let tokens = await openOrders(stage, ways);
  const replies: Reply[] = [];
  let played = 0;
  while (played < wanted) {
    const pause = delay(ROUND_MS);
    // Twice the number of orders: the gateway client retries an unreadable response once.
    for (const { count, lookUp, spoilt } of ways) {
      await inParallel(numbers(count * 2), 8, () =>
        strings.fault(lookUp, spoilt(random, stage.goods.price), 1),
      );
    }
    const planned = await strings.faultsLeft();
    replies.push(
      ...(await inParallel(tokens, 12, (token) => exchange(stage.nextUrl(), `/checkout/return/${token}`))),
    );
    const met = planned - (await strings.faultsLeft());
    played += met;
    await strings.clearFaults();
    await pause;
    // No order is looked up any more because all have a final state. New orders are needed.
    if (met === 0) tokens = await openOrders(stage, ways);
  }
  const openings = of({ full: 300, short: 20 });
  const led = (await inParallel(BEGINNINGS, 1, (begin) => begin(stage, openings, random))).flat();
  const misled = led.filter((reply) => reply.status === 302).length;
  const broken = led.filter((reply) => reply.status === 500).length;
  const finding = await judgeForgery(stage, {
    what: `${played + led.length} falsified responses`,
    replies,
    sold: 0,
  });
  const problems = [
    ...unless(misled === 0, `${misled} customers were redirected to a wrong page`),
    ...unless(broken === 0, `${broken} checkouts failed with 500`),
  ];
  return at({ figures: finding.figures, problems: [...finding.problems, ...problems] });
}

/** How a payment flow creates an unpaid order, and the lookup whose responses are falsified. */
interface Way {
  open(stage: Stage): Promise<unknown>;
  readonly orders: { readonly full: number; readonly short: number };
  readonly lookUp: Call;
  readonly spoilt: (random: Scale['random'], price: number) => ReturnType<typeof spoiltOpening>;
}

const WAYS: readonly Way[] = [
  {
    open: (stage) => new Customer(stage).openPage(),
    orders: { full: 400, short: 50 },
    lookUp: 'read-session',
    spoilt: spoiltSession,
  },
  {
    open: openAtBank,
    orders: { full: 100, short: 20 },
    lookUp: 'read-transaction',
    spoilt: spoiltPayment,
  },
];

/** Payment flows whose first response can be falsified before a payment. */
const BEGINNINGS = [openWrongly];

async function openAtBank(stage: Stage): Promise<void> {
  const customer = new Customer(stage);
  await customer.addToCart();
  expectStatus(await customer.payByCard(CARDS.challenged), 302);
}

/** Creates unpaid orders in all payment flows. Returns their order tokens. */
async function openOrders(
  stage: Stage,
  ways: readonly (Way & { readonly count: number })[],
): Promise<readonly string[]> {
  for (const { open, count } of ways) await inParallel(numbers(count), 12, () => open(stage));
  return (await stage.look()).books.orders.map(({ token }) => token);
}

function openWrongly(stage: Stage, count: number, random: Scale['random']): Promise<readonly Reply[]> {
  // Sequential, so that each checkout and its retries receive their own fault.
  return inParallel(numbers(count), 1, async () => {
    const customer = new Customer(stage);
    await customer.addToCart();
    await stage.strings.fault('create-session', spoiltOpening(random, stage.goods.price), 3);
    const reply = await customer.payHosted();
    await stage.strings.clearFaults();
    return reply;
  });
}

export const forgedReturns: Scenario = {
  id: 'forged-returns',
  says: 'Returns with foreign, invented or malformed ids and claims mark no order as paid and cause no lookups',
  ties: 'cases 1, 2, 13-15, 17, 79, 88, 89, complaint 43',
  limitMs: 180_000,
  play: (stage, scale) =>
    playRequests(stage, scale, { what: 'forged returns', forge: forgedReturn, pace: 24 }),
};

export const forgedWebhooks: Scenario = {
  id: 'forged-webhooks',
  says: 'Webhooks that are false, malformed or name unknown ids mark no order as paid and cause no lookups',
  ties: 'cases 20-22, 24, 29, 32, complaints 9, 15, 44',
  limitMs: 180_000,
  play: (stage, scale) =>
    playRequests(stage, scale, { what: 'forged webhooks', forge: forgedWebhook, pace: 24 }),
};

interface Forging {
  readonly what: string;
  readonly pace: number;
  forge(random: Scale['random'], loot: Loot): ForgedRequest;
}

async function playRequests(stage: Stage, { of, random }: Scale, forging: Forging): Promise<Aftermath> {
  const count = of({ full: 3_200, short: 400 });
  await stage.strings.webhooks('off');
  const sold = 10;
  const paidSessions = await inParallel(numbers(sold), 5, async () => {
    const { session, customer } = await new Customer(stage).openPage();
    await customer.get(await pay(stage, session));
    return session;
  });
  const { books } = await stage.look();
  const known = new Set(books.orders.map(({ token }) => token));
  const unpaid = await inParallel(numbers(30), 6, () => new Customer(stage).openPage());
  const tokens = (await stage.look()).books.orders
    .map(({ token }) => token)
    .filter((token) => !known.has(token));
  const loot: Loot = {
    tokens,
    paidSessions,
    unpaidSessions: unpaid.map(({ session }) => session),
  };
  const forged = numbers(count).map(() => forging.forge(random, loot));
  const replies = await inParallel(forged, forging.pace, ({ target, headers, ...sending }) =>
    exchange(stage.nextUrl(), target, { ...sending, headers: headers ?? stage.webhookHeaders }),
  );
  return () => judgeForgery(stage, { what: `${count} ${forging.what}`, replies, sold });
}

interface Forgery {
  readonly what: string;
  readonly replies: readonly Reply[];
  /** Number of orders that were really paid. */
  readonly sold: number;
}

async function judgeForgery(stage: Stage, { what, replies, sold }: Forgery): Promise<Finding> {
  const { books } = await stage.look();
  const paid = books.orders.filter(({ state }) => state === 'paid').length - sold;
  const failed = replies.filter(({ status }) => status >= 500);
  const ours = new Set(books.attempts.map(({ gatewayId }) => gatewayId));
  const calls = [
    ...(await stage.strings.calls('read-session')),
    ...(await stage.strings.calls('read-transaction')),
  ];
  const strangers = calls.filter(({ path }) => !ours.has(idIn(path))).length;
  return {
    figures: `${what}: ${paid} paid, ${failed.length} responses 5xx, ${strangers} lookups for unknown ids`,
    problems: [
      ...unless(paid === 0, `${paid} orders became paid`),
      ...unless(failed.length === 0, `${failed.length} responses 5xx (${failed[0]?.status})`),
      ...unless(strangers === 0, `${strangers} lookups for ids without an order`),
    ],
  };
}

function idIn(path: string): string {
  return decodeURIComponent(path.split('/').findLast((part) => part !== '') ?? '');
}
