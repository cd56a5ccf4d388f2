/** Sales of the last 30 days with a cache of 60 s. */
import { setImmediate as nextRun } from 'node:timers/promises';
import type { CheckoutContext } from '../checkout/context.js';
import type { Queries } from '../db/database.js';
import { type PaidGroup, paidIn, placedIn, refundedByDay } from '../db/sales.js';
import { addDays, dayOf, startOfDay } from '../domain/mexico-day.js';
import { ORDER_STATES, type OrderState } from '../domain/order.js';

const DAYS = 30;
const CACHE_TTL_MS = 60_000;

export interface SalesDay {
  readonly day: string;
  readonly count: number;
  /** In centavos: the orders paid on this day minus the money returned on it. May be negative. */
  readonly total: number;
}

export interface SalesWindow {
  readonly readAt: number;
  /** Paid orders by the day of their payment, oldest first. */
  readonly days: readonly SalesDay[];
  /** Orders placed in the window, by their current state. */
  readonly states: readonly { readonly state: OrderState; readonly count: number }[];
  readonly placed: number;
  /** Time from order to payment, in seconds. Absent if no order was paid. */
  readonly confirmed?: { readonly median: number; readonly p95: number };
}

interface CachedWindow {
  readonly readAt: number;
  readonly window: Promise<SalesWindow>;
}

const cache = new WeakMap<CheckoutContext, CachedWindow>();

/**
 * Returns the sales of the last 30 days, at most 60 s old. Parallel calls share one read.
 * Rejects if the database fails. A failed read is not cached.
 */
export function salesWindow(context: CheckoutContext): Promise<SalesWindow> {
  const now = context.clock.now();
  const cached = cache.get(context);
  if (cached && now >= cached.readAt && now - cached.readAt < CACHE_TTL_MS) return cached.window;
  const window = readWindow(context.db.queries, now);
  cache.set(context, { readAt: now, window });
  window.catch(() => cache.delete(context));
  return window;
}

async function readWindow(queries: Queries, now: number): Promise<SalesWindow> {
  const today = dayOf(now);
  const days: SalesDay[] = [];
  const groups: PaidGroup[] = [];
  const states = new Map<OrderState, number>();
  const first = addDays(today, 1 - DAYS);
  const refunded = await refundedByDay(queries, { from: first, until: addDays(today, 1) });
  for (let ago = DAYS - 1; ago >= 0; ago -= 1) {
    const day = addDays(today, -ago);
    const span = { from: startOfDay(day), until: startOfDay(addDays(day, 1)) };
    const paid = await paidIn(queries, span);
    groups.push(...paid);
    days.push({ day, count: sumOf(paid, 'count'), total: sumOf(paid, 'total') - (refunded.get(day) ?? 0) });
    for (const [state, count] of await placedIn(queries, span))
      states.set(state, (states.get(state) ?? 0) + count);
    // Yields to the event loop after each day, so that requests of customers are not delayed.
    await nextRun();
  }
  const times = timesOf(groups);
  return {
    readAt: now,
    days,
    states: ORDER_STATES.map((state) => ({ state, count: states.get(state) ?? 0 })),
    placed: [...states.values()].reduce((total, count) => total + count, 0),
    ...(times && { confirmed: times }),
  };
}

function sumOf(groups: readonly PaidGroup[], name: 'count' | 'total'): number {
  return groups.reduce((total, group) => total + group[name], 0);
}

function timesOf(groups: readonly PaidGroup[]): SalesWindow['confirmed'] {
  const sorted = groups.toSorted((one, other) => one.seconds - other.seconds);
  const count = sumOf(sorted, 'count');
  if (count === 0) return undefined;
  return {
    median: secondsAt(sorted, Math.ceil(count * 0.5)),
    p95: secondsAt(sorted, Math.ceil(count * 0.95)),
  };
}

/** Time of the order at this rank, starting at 1 for the fastest. */
function secondsAt(sorted: readonly PaidGroup[], rank: number): number {
  let seen = 0;
  for (const { seconds, count } of sorted) {
    seen += count;
    if (seen >= rank) return seconds;
  }
  return sorted.at(-1)?.seconds ?? 0;
}
