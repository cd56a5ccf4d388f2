/** What was sold in the last days, read a day at a time and kept for a moment. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CheckoutServices } from '../../checkout/services.js';
import { addDays, dayOf, startOfDay } from '../../core/mexico-day.js';
import { ORDER_STATES, type OrderState } from '../../core/order.js';
import type { Queries } from '../../store/database.js';
import { type PaidGroup, paidIn, placedIn } from '../../store/sales.js';

const DAYS = 30;
/** One reading of the window serves every look at the desk for as long. */
const KEPT_MS = 60_000;

export interface SalesDay {
  readonly day: string;
  readonly count: number;
  /** In centavos. */
  readonly total: number;
}

export interface SalesWindow {
  readonly readAt: number;
  /** Paid orders by the day of their payment, oldest first. */
  readonly days: readonly SalesDay[];
  /** Orders placed in the window by where they stand now. */
  readonly states: readonly { readonly state: OrderState; readonly count: number }[];
  readonly placed: number;
  /** From order to paid, in seconds; absent when nothing was paid. */
  readonly confirmed?: { readonly median: number; readonly p95: number };
}

interface Kept {
  readonly readAt: number;
  readonly window: Promise<SalesWindow>;
}

const kept = new WeakMap<CheckoutServices, Kept>();

/** The last 30 days until now, as old as a minute at the most. A reading that fails is not kept. */
export function salesWindow(services: CheckoutServices): Promise<SalesWindow> {
  const now = services.clock.now();
  const known = kept.get(services);
  if (known && now >= known.readAt && now - known.readAt < KEPT_MS) return known.window;
  const window = readWindow(services.db.queries, now);
  kept.set(services, { readAt: now, window });
  window.catch(() => kept.delete(services));
  return window;
}

async function readWindow(queries: Queries, now: number): Promise<SalesWindow> {
  const today = dayOf(now);
  const days: SalesDay[] = [];
  const groups: PaidGroup[] = [];
  const states = new Map<OrderState, number>();
  for (let ago = DAYS - 1; ago >= 0; ago -= 1) {
    const day = addDays(today, -ago);
    const span = { from: startOfDay(day), until: startOfDay(addDays(day, 1)) };
    const paid = await paidIn(queries, span);
    groups.push(...paid);
    days.push({ day, count: sumOf(paid, 'count'), total: sumOf(paid, 'total') });
    for (const [state, count] of await placedIn(queries, span))
      states.set(state, (states.get(state) ?? 0) + count);
    // A day is a moment's work; thirty busy ones in a row would keep shoppers waiting.
    await nextTurn();
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

/** The time of the order that is the `rank`th quickest. */
function secondsAt(sorted: readonly PaidGroup[], rank: number): number {
  let seen = 0;
  for (const { seconds, count } of sorted) {
    seen += count;
    if (seen >= rank) return seconds;
  }
  return sorted.at(-1)?.seconds ?? 0;
}
