/** Waits until every charge has reached its order, as it must without anybody's help. */
import { until } from './crowd.js';
import { breaches, chargesThat } from './invariants.js';
import { leaksOf } from './leaks.js';
import { type Finding, unless } from './scenario.js';
import type { Stage } from './stage.js';

export interface Settled {
  /** Charges of which the shop knows in no way. */
  readonly lost: number;
  /** Charges that wait for a person. */
  readonly seen: number;
  readonly paid: number;
  /** Seconds from the charge to the paid order, at the slowest. */
  readonly slowestS: number;
  readonly allPaid: boolean;
}

/** Looks until all is paid, or the time is up. */
export async function untilAllPaid(stage: Stage, withinMs: number): Promise<Settled> {
  let settled = await settledNow(stage);
  const allPaid = await until(
    async () => {
      settled = await settledNow(stage);
      return settled.allPaid;
    },
    { withinMs, everyMs: 500 },
  );
  return { ...settled, allPaid };
}

/** Looks until the shop knows of every charge, be it paid or with a person, or the time is up. */
export async function untilNoneLost(stage: Stage, withinMs: number): Promise<Settled> {
  let settled = await settledNow(stage);
  await until(
    async () => {
      settled = await settledNow(stage);
      return settled.lost === 0;
    },
    { withinMs, everyMs: 500 },
  );
  return settled;
}

async function settledNow(stage: Stage): Promise<Settled> {
  const evidence = await stage.look();
  const paid = chargesThat('paid', evidence);
  const attempts = new Map(evidence.books.attempts.map((attempt) => [attempt.serviceId, attempt.orderId]));
  const paidAt = new Map(evidence.books.orders.map((order) => [order.id, order.paidAt ?? 0]));
  const waits = paid.map((charge) => (paidAt.get(attempts.get(charge.id) ?? '') ?? 0) - charge.at);
  return {
    lost: chargesThat('lost', evidence).length,
    seen: chargesThat('seen', evidence).length,
    paid: paid.length,
    slowestS: Math.round(waits.reduce((most, wait) => Math.max(most, wait), 0) / 100) / 10,
    allPaid: paid.length === evidence.ledger.length,
  };
}

/** What holds after every scenario whatever it did. */
export async function audit(stage: Stage): Promise<readonly string[]> {
  const processes = stage.shops.filter((shop) => !shop.isRunning()).length;
  return [
    ...breaches(await stage.look()),
    ...(await leaksOf(stage)),
    ...unless(processes === 0, 'a process of the shop is gone'),
  ];
}

/** Everything charged becomes paid within two minutes, and nothing else does. */
export async function settleAll(stage: Stage, figures: string): Promise<Finding> {
  const { lost, seen, paid, slowestS, allPaid } = await untilAllPaid(stage, 120_000);
  return {
    figures: `${figures}; ${paid} paid, ${lost} lost, slowest ${slowestS} s`,
    problems: unless(allPaid, `${lost} lost and ${seen} waiting for a person after two minutes`),
  };
}
