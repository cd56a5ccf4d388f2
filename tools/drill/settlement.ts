/** Waits for conditions, and until the shop has verified the charges of the ledger. */
import { until } from '../../test/support/crowd.js';
import { chargesIn } from '../../test/support/invariants.js';
import { type Environment, readShopState } from './environment.js';

/** Polls a condition. Returns whether it was met in time; the scenario reports what is missing. */
export function isReached(...waiting: Parameters<typeof until>): Promise<boolean> {
  return until(...waiting).then(
    () => true,
    () => false,
  );
}

export interface Settlement {
  readonly paid: number;
  readonly review: number;
  readonly lost: number;
  readonly allPaid: boolean;
  /** Longest time from charge to paid order, in seconds. */
  readonly slowestS: number;
}

/** Waits until all charges are paid orders, or for another condition, and returns the counts at the end. */
export async function waitUntilVerified(
  environment: Environment,
  withinMs: number,
  isVerified = ({ allPaid }: Settlement) => allPaid,
): Promise<Settlement> {
  let settlement = await readSettlement(environment);
  const condition = async () => {
    if (!isVerified(settlement)) settlement = await readSettlement(environment);
    return isVerified(settlement);
  };
  await isReached(condition, { withinMs, everyMs: 500 });
  return settlement;
}

async function readSettlement(environment: Environment): Promise<Settlement> {
  const state = await readShopState(environment);
  const paid = chargesIn('paid', state);
  const orderIds = new Map(state.attempts.map(({ gatewayId, orderId }) => [gatewayId, orderId]));
  const confirmedAt = new Map(state.orders.map((order) => [order.id, order.confirmedAt ?? 0]));
  const waits = paid.map(({ id, at }) => (confirmedAt.get(orderIds.get(id) ?? '') ?? 0) - at);
  return {
    paid: paid.length,
    review: chargesIn('review', state).length,
    lost: chargesIn('lost', state).length,
    allPaid: paid.length === state.ledger.length,
    slowestS: Math.round(Math.max(0, ...waits) / 100) / 10,
  };
}
