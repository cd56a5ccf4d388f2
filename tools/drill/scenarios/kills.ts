import { setTimeout as delay } from 'node:timers/promises';
import { createGate, inParallel, numbers, until } from '../../../test/support/crowd.js';
import { Customer, expectStatus, patiently, pay, sessionBehind } from '../customer.js';
import type { Aftermath, Scale, Scenario } from '../scenario.js';
import { unless } from '../scenario.js';
import { settleAll } from '../settling.js';
import type { Stage } from '../stage.js';

const CHECKOUTS_A_KILL = 40;
/** Customers that buy at the same time without a failure. Customers whose response was lost return later. */
const IN_FLIGHT = 10;
const STRAGGLERS_AT_ONCE = 64;
const MOST_STARTS = 3;

export const kills: Scenario = {
  id: 'kills',
  says: 'The shop is killed repeatedly while customers buy: no acknowledged checkout and no charge is lost',
  ties: 'cases 113-116, complaints 1, 2, 4, 6, 7',
  shops: 2,
  limitMs: 1_200_000,
  play: playKills,
};

interface Rush {
  readonly stage: Stage;
  readonly scale: Scale;
  /** Ids of sessions to which a customer was redirected. */
  readonly acknowledged: string[];
  /** Customers whose response was lost and who will retry. */
  readonly stragglers: Promise<void>[];
  /** Limits concurrent retries. Each one may wait until the lease of a killed process expires. */
  readonly gate: ReturnType<typeof createGate>;
  bought: number;
  startedOver: number;
}

async function playKills(stage: Stage, scale: Scale): Promise<Aftermath> {
  const many = stage.shops.length > 1 ? 50 : 100;
  const times = scale.kills ?? scale.of({ full: many, short: 3 });
  const goal = times * CHECKOUTS_A_KILL;
  const rush: Rush = {
    stage,
    scale,
    acknowledged: [],
    stragglers: [],
    gate: createGate(STRAGGLERS_AT_ONCE),
    bought: 0,
    startedOver: 0,
  };
  const killing = killAgainAndAgain(rush, times);
  // The error is reported where the promise is awaited.
  killing.catch(() => {});
  await inParallel(numbers(goal), IN_FLIGHT, () => buyOrStraggle(rush));
  await killing;
  return async () => {
    await Promise.all(rush.stragglers);
    const { books } = await stage.look();
    const kept = new Set(books.attempts.map(({ gatewayId }) => gatewayId));
    const forgotten = rush.acknowledged.filter((session) => !kept.has(session));
    const shops = stage.shops.length === 1 ? '' : ` of ${stage.shops.length} shops`;
    const finding = await settleAll(
      stage,
      `${times} kills${shops} over ${goal} checkouts, ${rush.startedOver} started over`,
    );
    const problems = [
      ...finding.problems,
      ...unless(forgotten.length === 0, `${forgotten.length} acknowledged checkouts lost`),
      ...unless(rush.bought === goal, `${goal - rush.bought} customers could not buy`),
    ];
    return { figures: finding.figures, problems };
  };
}

async function killAgainAndAgain({ stage, scale, ...rush }: Rush, times: number): Promise<void> {
  const { acknowledged } = rush;
  for (const kill of numbers(times)) {
    const due = kill * CHECKOUTS_A_KILL + scale.random.below(CHECKOUTS_A_KILL);
    // 4 s limit: if all customers wait after lost responses, the next kill happens anyway.
    await until(() => acknowledged.length >= due, { withinMs: 4_000, everyMs: 5 });
    await delay(scale.random.below(40));
    const shop = stage.shops[scale.random.below(stage.shops.length)] ?? stage.shops[0];
    await shop.kill();
    await shop.start();
  }
}

/** A customer whose response was lost retries in the background, so that the next customer can start. */
async function buyOrStraggle(rush: Rush): Promise<void> {
  const customer = new Customer(rush.stage);
  const first = await tryToOpen(rush, customer).catch(() => undefined);
  if (first) return finish(rush, customer, first);
  rush.stragglers.push(rush.gate(() => straggle(rush, customer)).catch(() => {}));
}

async function tryToOpen(rush: Rush, customer: Customer): Promise<string | undefined> {
  expectStatus(await customer.addToCart(), 303);
  return sessionBehind(rush.stage, await customer.payHosted());
}

/** Retries after a pause. Starts again with a new cart if the old one is gone. */
async function straggle(rush: Rush, customer: Customer): Promise<void> {
  const pace = { tries: 20, pauseMs: () => 3_000 + rush.scale.random.below(9_000) };
  await delay(pace.pauseMs());
  for (const _ of numbers(MOST_STARTS)) {
    expectStatus(await patiently(() => customer.addToCart(), pace), 303);
    const session = sessionBehind(rush.stage, await patiently(() => customer.payHosted(), pace));
    if (session !== undefined) return finish(rush, customer, session);
    rush.startedOver += 1;
  }
}

/** Pays the session. Three of four customers return to the shop; the others close the browser. */
async function finish(rush: Rush, customer: Customer, session: string): Promise<void> {
  rush.acknowledged.push(session);
  const back = await pay(rush.stage, session);
  rush.bought += 1;
  if (rush.scale.random.below(4) > 0) await customer.get(back).catch(() => undefined);
}
