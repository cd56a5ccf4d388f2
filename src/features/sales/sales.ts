/** Sales of the last 30 days and of three periods with a cache of 60 s, and their figures on the overview. */
import { setImmediate as nextRun } from 'node:timers/promises';
import { centavos, ORDER_STATES, type OrderState } from '@tianguis/payments/rules';
import type { I18n } from '../../locales/i18n.js';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import { isFee } from '../../shop/rules/fees.js';
import { addDays, dayOf, startOfDay } from '../../shop/rules/mexico-day.js';
import type { Database, Db } from '../../tables/database.js';
import { findProductNames } from '../../tables/products.js';
import { STATE_TONES } from '../../web/tone.js';
import { type Period, periodsOf } from './periods.js';
import { outsideIn, type PaidGroup, paidIn, placedIn, refundedByDay, type SoldProduct, soldIn } from './repository.js';

const DAYS = 30;
/** Products in the list of those sold most. */
const BEST = 5;
const CACHE_TTL_MS = 60_000;

type SalesWindow = Awaited<ReturnType<typeof readWindow>>;

const cache = new WeakMap<Database, { readonly readAt: number; readonly window: Promise<SalesWindow> }>();

/**
 * Returns the sales of the last 30 days, at most 60 s old. Parallel calls share one read.
 * Rejects if the database fails. A failed read is not cached.
 */
export function salesWindow({ db, clock }: CheckoutContext): Promise<SalesWindow> {
  const now = clock.now();
  const cached = cache.get(db);
  if (cached && now >= cached.readAt && now - cached.readAt < CACHE_TTL_MS) return cached.window;
  const window = readWindow(db.queries, now);
  cache.set(db, { readAt: now, window });
  window.catch(() => cache.delete(db));
  return window;
}

interface DaySales {
  readonly day: string;
  /** Paid orders. */
  readonly count: number;
  /** After refunds. A day with more refunds than sales has a negative total. */
  readonly total: number;
}

async function readWindow(queries: Db, now: number) {
  const today = dayOf(now);
  const periods = periodsOf(today);
  const windowStart = addDays(today, 1 - DAYS);
  const [first = today] = [windowStart, ...periods.map(({ before }) => before.from)].toSorted();
  const refunded = await refundedByDay(queries, { from: first, until: addDays(today, 1) });
  const days: DaySales[] = [];
  const groups: PaidGroup[] = [];
  const states = new Map<OrderState, number>();
  const sold = new Map<string, SoldProduct>();
  for (let day = first; day <= today; day = addDays(day, 1)) {
    const span = { from: startOfDay(day), until: startOfDay(addDays(day, 1)) };
    const paid = await paidIn(queries, span);
    days.push({ day, count: sumOf(paid, 'count'), total: sumOf(paid, 'total') - (refunded.get(day) ?? 0) });
    if (day >= windowStart) {
      groups.push(...paid);
      for (const [state, count] of await placedIn(queries, span)) states.set(state, (states.get(state) ?? 0) + count);
      for (const product of await soldIn(queries, span)) addSold(sold, product);
    }
    // Yields to the event loop after each day, so that requests of customers are not delayed.
    await nextRun();
  }
  const best = [...sold.values()]
    .filter(({ productId }) => !isFee(productId))
    .toSorted(byPieces)
    .slice(0, BEST);
  const names = await findProductNames(
    queries,
    best.map(({ productId }) => productId),
  );
  const timeOfDay = now - startOfDay(today);
  return {
    readAt: now,
    /** Paid orders by the day of their payment, oldest first. */
    days: days.filter(({ day }) => day >= windowStart),
    periods: await Promise.all(periods.map((period) => comparePeriod(queries, period, { days, refunded, timeOfDay }))),
    best: best.map((product) => ({ ...product, name: names.get(product.productId) })),
    /** Orders placed in the window, by their current state. */
    states: ORDER_STATES.map((state) => ({ state, count: states.get(state) ?? 0 })),
    /** Of all orders paid in the window. */
    outside: await outsideIn(queries, { from: startOfDay(windowStart), until: now + 1 }),
    placed: [...states.values()].reduce((total, count) => total + count, 0),
    median: medianOf(groups),
  };
}

interface PeriodInput {
  readonly days: readonly DaySales[];
  readonly refunded: ReadonlyMap<string, number>;
  /** In milliseconds. */
  readonly timeOfDay: number;
}

/** Returns the sales of a period until now, and those of the period before until the same time. */
async function comparePeriod(queries: Db, { name, from, before }: Period, { days, refunded, timeOfDay }: PeriodInput) {
  const current = days.filter(({ day }) => day >= from);
  const earlier = days.filter(({ day }) => day >= before.from && day < before.last);
  const start = startOfDay(before.last);
  const partOfDay = await paidIn(queries, { from: start, until: start + timeOfDay });
  const last = sumOf(partOfDay, 'total') - (refunded.get(before.last) ?? 0);
  return {
    name,
    count: sumOf(current, 'count'),
    total: sumOf(current, 'total'),
    totalBefore: sumOf(earlier, 'total') + last,
  };
}

function addSold(sold: Map<string, SoldProduct>, { productId, pieces, total }: SoldProduct): void {
  const before = sold.get(productId);
  sold.set(productId, { productId, pieces: pieces + (before?.pieces ?? 0), total: total + (before?.total ?? 0) });
}

function byPieces(one: SoldProduct, other: SoldProduct): number {
  return other.pieces - one.pieces || other.total - one.total;
}

function sumOf(groups: readonly Pick<PaidGroup, 'count' | 'total'>[], name: 'count' | 'total'): number {
  return groups.reduce((total, group) => total + group[name], 0);
}

/** Returns the time from order to payment, in seconds, that half of the paid orders did not exceed. */
function medianOf(groups: readonly PaidGroup[]): number | undefined {
  const rank = Math.ceil(sumOf(groups, 'count') / 2);
  const sorted = groups.toSorted((one, other) => one.seconds - other.seconds);
  let seen = 0;
  return sorted.find(({ count }) => {
    seen += count;
    return seen >= rank;
  })?.seconds;
}

/** Minimum height of a bar in percent, so that a day with low sales is visible. */
const MIN_BAR = 1.5;

/** Builds the model of the sales figures and their two charts. */
export function salesPage(i18n: I18n, { days, periods, best, states, placed, outside, median, readAt }: SalesWindow) {
  const { t, text, money, duration } = i18n;
  const percents = new Intl.NumberFormat(i18n.locale, { style: 'percent', maximumFractionDigits: 1 });
  const changes = new Intl.NumberFormat(i18n.locale, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'always',
  });
  const dayNames = new Intl.DateTimeFormat(i18n.locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const nameOf = (day = '') => (day === '' ? '' : dayNames.format(Date.parse(day)));
  const signed = (total: number) => `${total < 0 ? '−' : ''}${money(centavos(Math.abs(total)))}`;
  const time = (seconds: number | undefined) => (seconds === undefined ? '—' : duration(seconds));
  const paid = states.find(({ state }) => state === 'paid')?.count ?? 0;
  const max = Math.max(0, ...days.map(({ total }) => total));
  const share = percents.format(paid / placed);
  const conversion = placed === 0 ? '—' : t('sales.share', { share, paid, placed });
  return {
    periods: periods.map(({ name, count, total, totalBefore }) => ({
      label: t(`sales.periods.${name}`),
      total: signed(total),
      count: t('sales.orderCount', { count }),
      before: t(`sales.before.${name}`, { total: signed(totalBefore) }),
      /** A share of nothing says nothing. */
      change: totalBefore > 0 ? changes.format((total - totalBefore) / totalBefore) : undefined,
    })),
    best: best.map(({ productId, name, pieces, total }) => ({
      name: name ? text(name) : productId,
      pieces: t('sales.pieces', { count: pieces }),
      total: signed(total),
    })),
    facts: [
      { label: t('sales.total'), value: signed(sumOf(days, 'total')) },
      ...(outside > 0 ? [{ label: t('sales.outside'), value: signed(outside) }] : []),
      { label: t('sales.paid'), value: String(sumOf(days, 'count')) },
      { label: t('sales.conversion'), value: conversion },
      { label: t('sales.median'), value: time(median) },
    ],
    days: days.map(({ day, count, total }) => ({
      day: nameOf(day),
      count,
      total: signed(total),
      isQuiet: count === 0 && total === 0,
      /** In percent of the chart. */
      height: total <= 0 ? 0 : Math.max(MIN_BAR, (total / max) * 100),
    })),
    axis: { max: money(centavos(max)), first: nameOf(days[0]?.day), last: nameOf(days.at(-1)?.day) },
    states: states
      .filter(({ count }) => count > 0)
      .map(({ state, count }) => ({
        state: t(`admin.states.${state}`),
        tone: STATE_TONES[state],
        count,
        share: percents.format(count / placed),
        width: (count / placed) * 100,
      })),
    readAt,
  };
}
