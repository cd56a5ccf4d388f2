/** Gauges, set at each scrape. */
import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../checkout/context.js';
import type { Backlog } from '../db/overview-counts.js';
import type { OrderState } from '../domain/order.js';
import type { Figures } from './database-counts.js';

/** Order states that are not final. */
const WAITING: readonly OrderState[] = ['created', 'pending', 'outcome_unknown', 'review'];
const JOBS = ['receipt', 'on_paid', 'order_link'] as const;
const NONE: Backlog = { count: 0, oldestAt: null };
const QUEUES = ['lookups', 'messages', 'jobs'] as const;

/** Registers the gauges. Returns a function that sets them, or removes the database's gauges without figures. */
export function levelsOf(registry: Registry, clock: Clock): (figures: Figures | undefined) => void {
  const up = new Gauge({
    name: 'tianguis_database_up',
    help: 'Whether the database answered: 1 or 0',
    registers: [registry],
  });
  const time = new Gauge({
    name: 'tianguis_clock_seconds',
    help: 'What time it is for this process, in seconds since 1970',
    registers: [registry],
  });
  const set = fromDatabase(registry);
  return (figures) => {
    const now = clock.now();
    time.set(now / 1000);
    up.set(figures ? 1 : 0);
    set(figures, now);
  };
}

function fromDatabase(registry: Registry): (figures: Figures | undefined, now: number) => void {
  const registers = [registry];
  const orders = new Gauge({
    name: 'tianguis_orders',
    help: 'Orders by state, counted to 1000',
    labelNames: ['state'],
    registers,
  });
  const oldest = new Gauge({
    name: 'tianguis_oldest_order_age_seconds',
    help: 'How long ago the oldest order that stands in a state was placed; 0 when there is none',
    labelNames: ['state'],
    registers,
  });
  const inReview = new Gauge({
    name: 'tianguis_orders_in_review',
    help: 'Orders that wait for a decision in the back office, counted to 1000',
    registers,
  });
  const queues = queueLevels(registry);
  return (figures, now) => {
    for (const gauge of [orders, oldest]) gauge.reset();
    inReview.remove();
    queues(figures, now);
    if (!figures) return;
    for (const [state, { count, oldestAt }] of figures.orders) {
      orders.set({ state }, count);
      if (WAITING.includes(state)) oldest.set({ state }, ageOf(oldestAt, now));
    }
    inReview.set(figures.inReview);
  };
}

function queueLevels(registry: Registry): (figures: Figures | undefined, now: number) => void {
  const registers = [registry];
  const jobs = new Gauge({
    name: 'tianguis_outbox_jobs',
    help: 'Receipts and other effects that are not done yet, counted to 1000 in all',
    labelNames: ['job'],
    registers,
  });
  const oldest = new Gauge({
    name: 'tianguis_outbox_oldest_age_seconds',
    help: 'How long the oldest effect of each kind has waited; 0 when there is none',
    labelNames: ['job'],
    registers,
  });
  const overdue = new Gauge({
    name: 'tianguis_work_overdue_seconds',
    help: 'By how long the first piece of background work is overdue, whichever process should do it',
    labelNames: ['queue'],
    registers,
  });
  return (figures, now) => {
    for (const gauge of [jobs, oldest, overdue]) gauge.reset();
    if (!figures) return;
    for (const job of JOBS) {
      const { count, oldestAt } = figures.jobs.get(job) ?? NONE;
      jobs.set({ job }, count);
      oldest.set({ job }, ageOf(oldestAt, now));
    }
    for (const queue of QUEUES) overdue.set({ queue }, ageOf(figures.due[queue], now));
  };
}

/** Returns the seconds since a time. Returns 0 without a time, and for a time in the future. */
function ageOf(at: number | null | undefined, now: number): number {
  return typeof at !== 'number' ? 0 : Math.max(0, now - at) / 1000;
}
