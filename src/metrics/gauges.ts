/** Gauges, set at each scrape. */
import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../checkout/context.js';
import type { Backlog } from '../db/overview-counts.js';
import type { OrderState } from '../domain/order.js';
import type { Figures } from './database-counts.js';

/** Order states that are not final. */
const OPEN_STATES: readonly OrderState[] = ['created', 'pending', 'outcome_unknown', 'review'];
const JOBS = ['receipt', 'on_paid', 'order_link', 'shipped', 'merchant_paid', 'merchant_review'] as const;
const NONE: Backlog = { count: 0, oldestAt: null };
const QUEUES = ['lookups', 'webhooks', 'jobs'] as const;

/** Registers the gauges. Returns a function that sets them. Without figures it removes the values that come from the database. */
export function registerGauges(registry: Registry, clock: Clock): (figures: Figures | undefined) => void {
  const up = new Gauge({
    name: 'tianguis_database_up',
    help: '1 if the database answered, else 0',
    registers: [registry],
  });
  const time = new Gauge({
    name: 'tianguis_clock_seconds',
    help: 'Clock of this process, in seconds since 1970',
    registers: [registry],
  });
  const setDatabaseGauges = registerDatabaseGauges(registry);
  return (figures) => {
    const now = clock.now();
    time.set(now / 1000);
    up.set(figures ? 1 : 0);
    setDatabaseGauges(figures, now);
  };
}

function registerDatabaseGauges(registry: Registry): (figures: Figures | undefined, now: number) => void {
  const registers = [registry];
  const orders = new Gauge({
    name: 'tianguis_orders',
    help: 'Orders by state, counted up to 1000',
    labelNames: ['state'],
    registers,
  });
  const oldest = new Gauge({
    name: 'tianguis_oldest_order_age_seconds',
    help: 'Age of the oldest order of each open state; 0 without such an order',
    labelNames: ['state'],
    registers,
  });
  const inReview = new Gauge({
    name: 'tianguis_orders_in_review',
    help: 'Orders in review or with an unknown outcome, counted up to 1000',
    registers,
  });
  const setQueueGauges = registerQueueGauges(registry);
  return (figures, now) => {
    for (const gauge of [orders, oldest]) gauge.reset();
    inReview.remove();
    setQueueGauges(figures, now);
    if (!figures) return;
    for (const [state, { count, oldestAt }] of figures.orders) {
      orders.set({ state }, count);
      if (OPEN_STATES.includes(state)) oldest.set({ state }, ageOf(oldestAt, now));
    }
    inReview.set(figures.inReview);
  };
}

function registerQueueGauges(registry: Registry): (figures: Figures | undefined, now: number) => void {
  const registers = [registry];
  const jobs = new Gauge({
    name: 'tianguis_outbox_jobs',
    help: 'Outbox jobs that are not done, by type, counted up to 1000 in total',
    labelNames: ['job'],
    registers,
  });
  const oldest = new Gauge({
    name: 'tianguis_outbox_oldest_age_seconds',
    help: 'Age of the oldest outbox job of each type; 0 without such a job',
    labelNames: ['job'],
    registers,
  });
  const overdue = new Gauge({
    name: 'tianguis_work_overdue_seconds',
    help: 'Delay of the first due item of each queue, whether or not a worker runs',
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
