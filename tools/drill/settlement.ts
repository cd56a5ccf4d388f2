/** Waits until the shop has settled the charges of the ledger. */
import { until } from '../../test/support/crowd.js';
import { type Environment, readShopState } from './environment.js';
import { chargesIn, findViolations } from './invariants.js';
import { findLeaks } from './leaks.js';
import { failures } from './scenario.js';

export interface Settlement {
  readonly paid: number;
  readonly review: number;
  readonly lost: number;
  readonly allPaid: boolean;
  /** Longest time from charge to paid order, in seconds. */
  readonly slowestS: number;
}

export function waitUntilPaid(environment: Environment, withinMs: number): Promise<Settlement> {
  return waitFor(environment, withinMs, ({ allPaid }) => allPaid);
}

export function waitUntilKnown(environment: Environment, withinMs: number): Promise<Settlement> {
  return waitFor(environment, withinMs, ({ lost }) => lost === 0);
}

async function waitFor(
  environment: Environment,
  withinMs: number,
  isSettled: (settlement: Settlement) => boolean,
): Promise<Settlement> {
  let settlement = await readSettlement(environment);
  const condition = async () => {
    if (!isSettled(settlement)) settlement = await readSettlement(environment);
    return isSettled(settlement);
  };
  // The scenario reports what is missing.
  await until(condition, { withinMs, everyMs: 500 }).catch(() => {});
  return settlement;
}

async function readSettlement(environment: Environment): Promise<Settlement> {
  const state = await readShopState(environment);
  const paid = chargesIn('paid', state);
  const orderIds = new Map(state.attempts.map(({ gatewayId, orderId }) => [gatewayId, orderId]));
  const paidAt = new Map(state.orders.map((order) => [order.id, order.paidAt ?? 0]));
  const waits = paid.map(({ id, at }) => (paidAt.get(orderIds.get(id) ?? '') ?? 0) - at);
  return {
    paid: paid.length,
    review: chargesIn('review', state).length,
    lost: chargesIn('lost', state).length,
    allPaid: paid.length === state.ledger.length,
    slowestS: Math.round(Math.max(0, ...waits) / 100) / 10,
  };
}

/** Checks that apply after every scenario: invariants, leaked secrets, running processes. */
export async function checkInvariants(environment: Environment): Promise<readonly string[]> {
  return [
    ...findViolations(await readShopState(environment)),
    ...(await findLeaks(environment)),
    ...failures([[environment.shops.every((shop) => shop.isRunning()), 'I8 a shop process has exited']]),
  ];
}
