/** Waits until the shop has processed every charge without manual help. */
import { until } from '../../test/support/crowd.js';
import { breaches, chargesThat } from './invariants.js';
import { leaksOf } from './leaks.js';
import { type Finding, unless } from './scenario.js';
import type { Stage } from './stage.js';

export interface Settled {
  /** Charges that the shop does not know. */
  readonly lost: number;
  /** Charges of orders in review, with a review reason or an unknown outcome. */
  readonly seen: number;
  readonly paid: number;
  /** Longest time from charge to paid order, in seconds. */
  readonly slowestS: number;
  readonly allPaid: boolean;
}

/** Polls until all charges are paid orders or the time limit passes. */
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

/** Polls until the shop knows every charge (`paid` or `seen`) or the time limit passes. */
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
  const attempts = new Map(evidence.books.attempts.map((attempt) => [attempt.gatewayId, attempt.orderId]));
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

/** Checks that apply after every scenario: invariants, leaked secrets, running processes. */
export async function audit(stage: Stage): Promise<readonly string[]> {
  const processes = stage.shops.filter((shop) => !shop.isRunning()).length;
  return [
    ...breaches(await stage.look()),
    ...(await leaksOf(stage)),
    ...unless(processes === 0, 'a shop process has exited'),
  ];
}

/** Requires that every charge becomes a paid order within two minutes. */
export async function settleAll(stage: Stage, figures: string): Promise<Finding> {
  const { lost, seen, paid, slowestS, allPaid } = await untilAllPaid(stage, 120_000);
  return {
    figures: `${figures}; ${paid} paid, ${lost} lost, slowest ${slowestS} s`,
    problems: unless(allPaid, `${lost} lost and ${seen} in review after two minutes`),
  };
}
