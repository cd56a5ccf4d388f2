/** Breadth-first search over all worlds, with the rules that hold in each of them. */

import type { AttemptState, OrderState } from '@tianguis/payments/rules';
import { needsReview } from '@tianguis/payments/rules';
import { hasNotEnded } from '../../src/rules/attempt.js';
import { verify } from './lookup.js';
import { movesOf, pass, webhook } from './moves.js';
import {
  AMOUNT,
  demand,
  describe,
  type Functions,
  idOf,
  isLive,
  keyOf,
  LAST_TICK,
  newWorld,
  Violation,
  type World,
} from './world.js';

export interface Found {
  readonly states: number;
  /** Number of events of the longest of all shortest sequences. */
  readonly depth: number;
  readonly orderStates: ReadonlySet<OrderState>;
  readonly attemptStates: ReadonlySet<AttemptState>;
  /** The broken rule and the shortest sequence that breaks it. */
  readonly violation?: { readonly rule: string; readonly trace: readonly string[] };
}

interface Node {
  readonly world: World;
  readonly parent: Node | undefined;
  readonly name: string;
  readonly depth: number;
}

export interface Bound {
  /** Maximum number of unusual events of a sequence. */
  readonly faults: number;
  /** Maximum number of events of a sequence. */
  readonly maxDepth: number;
  /** Maximum number of attempts. Default: 2. */
  readonly maxAttempts?: number;
}

/** Searches all sequences within the bound. Stops at the first violation. */
export function search(f: Functions, { faults, maxDepth, maxAttempts = 2 }: Bound): Found {
  const orderStates = new Set<OrderState>();
  const attemptStates = new Set<AttemptState>();
  const seen = new Set<string>();
  const isVerified = new Set<string>();
  const queue: Node[] = [{ world: newWorld({ f, faults, maxAttempts }), parent: undefined, name: 'start', depth: 0 }];
  let node: Node | undefined;
  try {
    for (let next = 0; next < queue.length; next += 1) {
      node = queue[next];
      if (!node) break;
      const { world, depth } = node;
      checkWorld(world);
      checkNotStuck(world, isVerified);
      orderStates.add(world.order);
      for (const { state } of world.attempts) attemptStates.add(state);
      for (const [name, after] of movesOf(world)) {
        if (after === world || depth === maxDepth) continue;
        const key = keyOf(after);
        if (seen.has(key)) continue;
        seen.add(key);
        queue.push({ world: after, parent: node, name, depth: depth + 1 });
      }
    }
  } catch (error) {
    if (!node || !(error instanceof Error)) throw error;
    const rule = error instanceof Violation ? error.message : `error: ${error.stack}`;
    return {
      states: queue.length,
      depth: node.depth,
      orderStates,
      attemptStates,
      violation: { rule, trace: traceOf(node) },
    };
  }
  return { states: queue.length, depth: queue.at(-1)?.depth ?? 0, orderStates, attemptStates };
}

function traceOf(node: Node): readonly string[] {
  const line = `${node.depth}. ${node.name} → ${describe(node.world)}`;
  return node.parent ? [...traceOf(node.parent), line] : [line];
}

function checkWorld(world: World): void {
  const { order, attempts, records, paidOrdinal, stock, fulfillments, reviewReason, replacedBy } = world;
  const paying = attempts.find(({ ordinal }) => ordinal === paidOrdinal);
  const charge = records[(paidOrdinal ?? 0) - 1]?.charge;
  if (order === 'paid') {
    const isOutside = paying?.flow === 'outside' && paying.confirmedAmount === AMOUNT;
    const hasOwnId = paying?.gatewayId === idOf(paidOrdinal ?? 0);
    demand(isOutside || hasOwnId, 'I1: a paid order has the gateway id of its own payment');
    demand(isOutside || charge === 'exact', 'I1: a paid order has a charge of its amount and currency');
  }
  demand(fulfillments === (order === 'paid' ? 1 : 0), 'I2: each paid order and no other has one fulfillment');
  demand(stock.onHand >= 0 && stock.taken <= 1, 'I2: the stock is taken once');
  demand(stock.onHand + stock.taken + stock.sold === 1 + stock.arrived, 'I2: no piece of a paid order is sold again');
  const hasPiece = stock.taken === 1 || reviewReason !== null || paying?.state === 'refunded';
  demand(order !== 'paid' || hasPiece, 'I2: a paid order takes its stock');
  demand(order !== 'paid' || replacedBy !== 'paid', 'I2: a paid order replaces no paid order');
  demand(attempts.filter(isLive).length <= 1, 'I5: an order has one live attempt');
  const charges = records.filter((record) => record?.charge && !record.isReturned).length;
  demand(charges < 2 || world.isWarned || world.key !== 'first', 'I5: no second charge without a confirmed warning');
}

/** Checks that worker, gateway and time alone bring a world to rest, and that no charge is lost there. */
function checkNotStuck(world: World, isVerified: Set<string>): void {
  const seen: string[] = [];
  let rest: World = { ...world, faults: 0, slow: null, starters: world.starters.map(() => null) };
  for (;;) {
    const key = keyOf(rest);
    if (isVerified.has(key)) break;
    seen.push(key);
    rest = verify(verify(rest, false).world, false).world;
    if (rest.tick === LAST_TICK) {
      for (const [index, record] of rest.records.entries()) if (record?.isUnwatched) rest = webhook(rest, index + 1);
      checkRest(rest);
      break;
    }
    rest = pass(rest);
  }
  for (const key of seen) isVerified.add(key);
}

function checkRest({ order, attempts, records, reviewReason, paidOrdinal, key }: World): void {
  const isListed = needsReview({ state: order, reviewReason });
  const isEnded = attempts.every((attempt) => attempt.state !== 'creating' && !hasNotEnded(attempt));
  demand(isListed || (isEnded && order !== 'pending'), 'never stuck: an order ends or is on the merchant’s list');
  for (const [index, record] of records.entries()) {
    const isHere = order === 'paid' && paidOrdinal === index + 1;
    // The key of another account proves nothing about an attempt that is not watched.
    const isUnprovable = record?.isUnwatched && key === 'other_account';
    const isLost = record?.charge && !record.isReturned && !isHere && !isListed && !isUnprovable;
    demand(!isLost, 'I3: each charge is paid, refunded or in review');
  }
}
