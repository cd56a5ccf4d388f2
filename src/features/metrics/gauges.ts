/** Gauges, set at each scrape. Most are read from the database. Db read bounded parts of indexes, at most every 5 s. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Backlog, jobBacklogs, orderBacklogs } from '@tianguis/payments/operations';
import type { Clock } from '@tianguis/payments/rules';
import { errorName, ORDER_STATES, type OrderState } from '@tianguis/payments/rules';
import type { EventLog } from '../../shop/rules/event-log.js';
import type { Db } from '../../tables/database.js';
import type { MetricFactory } from './metric-factory.js';
import { nextDueWork, oldestWebhooks, reviewBacklog } from './repository.js';

/** Maximum count of each figure. It bounds the cost of a query. */
const MAX_COUNT = 1_000;
/** TTL of the figures, shared by all scrapers. */
const CACHE_TTL_MS = 5_000;
/** Deadline of the queries. A scrape, usually limited to 10 s, can then report an unreachable database. */
const READ_DEADLINE_MS = 3_000;

/** Older webhook events are in no figure, which bounds the cost of the query. */
const WEBHOOK_SPAN_MS = 24 * 3_600_000;

/** Order states that are not final. */
const OPEN_STATES: readonly OrderState[] = ['created', 'pending', 'outcome_unknown', 'review'];
/** States of webhook events that changed no order. */
const OPEN_WEBHOOKS = ['new', 'unmatched', 'failed'] as const;
const QUEUES = ['lookups', 'webhooks', 'jobs'] as const;

type Figures = Awaited<ReturnType<typeof readFigures>>;

/** Returns a function that reads the figures, cached for 5 s. It resolves with `undefined` after a failure or after 3 s. */
export function createFiguresReader(queries: Db, log: EventLog, clock: Clock): () => Promise<Figures | undefined> {
  let readAt = Number.NEGATIVE_INFINITY;
  let cached: Promise<Figures | undefined> = Promise.resolve(undefined);
  return () => {
    if (performance.now() - readAt >= CACHE_TTL_MS) {
      readAt = performance.now();
      cached = Promise.race([
        readFigures(queries, clock.now()).catch((error: unknown) => {
          log.error('metrics.read_failed', { reason: errorName(error) });
          return undefined;
        }),
        delay(READ_DEADLINE_MS, undefined, { ref: false }),
      ]);
    }
    return cached;
  };
}

async function readFigures(queries: Db, now: number) {
  return {
    orders: await orderBacklogs(queries, ORDER_STATES, MAX_COUNT),
    inReview: await reviewBacklog(queries, MAX_COUNT),
    webhooks: await oldestWebhooks(queries, now - WEBHOOK_SPAN_MS),
    jobs: await jobBacklogs(queries, MAX_COUNT),
    due: await nextDueWork(queries),
  };
}

/** Registers the gauges. Returns a function that sets them. Without figures it removes the values that come from the database. */
export function registerGauges(factory: MetricFactory, clock: Clock, jobNames: readonly string[]) {
  const { gauge } = factory;
  const setJobs = registerJobGauges(factory, jobNames);
  const up = gauge('tianguis_database_up', '1 if the database answered, else 0');
  const time = gauge('tianguis_clock_seconds', 'Clock of this process, in seconds since 1970');
  const orders = gauge('tianguis_orders', 'Orders by state, counted up to 1000', 'state');
  const oldestOrder = gauge(
    'tianguis_oldest_order_age_seconds',
    'Age of the oldest order of each open state; 0 without such an order',
    'state',
  );
  const inReview = gauge(
    'tianguis_orders_in_review',
    'Orders in review or with an unknown outcome, counted up to 1000',
  );
  const oldestReview = gauge(
    'tianguis_oldest_review_age_seconds',
    'Time since the last change of the order in review that waits longest; 0 without such an order',
  );
  const oldestWebhook = gauge(
    'tianguis_oldest_webhook_age_seconds',
    'Age of the oldest webhook event of the last 24 hours that changed no order, by state; 0 without such an event',
    'state',
  );
  const overdue = gauge(
    'tianguis_work_overdue_seconds',
    'Delay of the first due item of each queue, whether or not a worker runs',
    'queue',
  );
  return (figures: Figures | undefined) => {
    const now = clock.now();
    time.set(now / 1000);
    up.set(Number(figures !== undefined));
    for (const each of [orders, oldestOrder, oldestWebhook, overdue]) each.reset();
    for (const each of [inReview, oldestReview]) each.remove();
    setJobs(figures?.jobs, now);
    if (!figures) return;
    for (const [state, { count, oldestAt }] of figures.orders) {
      orders.set({ state }, count);
      if (OPEN_STATES.includes(state)) oldestOrder.set({ state }, ageOf(oldestAt, now));
    }
    inReview.set(figures.inReview.count);
    oldestReview.set(ageOf(figures.inReview.oldestAt, now));
    for (const state of OPEN_WEBHOOKS) oldestWebhook.set({ state }, ageOf(figures.webhooks.get(state), now));
    for (const queue of QUEUES) overdue.set({ queue }, ageOf(figures.due[queue], now));
  };
}

/** Registers the gauges of outbox jobs. Returns a function that sets them, or removes their values. */
function registerJobGauges({ gauge }: MetricFactory, jobNames: readonly string[]) {
  const jobs = gauge(
    'tianguis_outbox_jobs',
    'Outbox jobs that are not done, by type, counted up to 1000 in total',
    'job',
  );
  const oldestJob = gauge(
    'tianguis_outbox_oldest_age_seconds',
    'Age of the oldest outbox job of each type; 0 without such a job',
    'job',
  );
  return (backlogs: ReadonlyMap<string, Backlog> | undefined, now: number) => {
    for (const each of [jobs, oldestJob]) each.reset();
    if (!backlogs) return;
    for (const job of new Set([...jobNames, ...backlogs.keys()])) {
      const backlog = backlogs.get(job);
      jobs.set({ job }, backlog?.count ?? 0);
      oldestJob.set({ job }, ageOf(backlog?.oldestAt, now));
    }
  };
}

/** Returns the seconds since a time. Returns 0 without a time, and for a time in the future. */
function ageOf(at: number | null | undefined, now: number): number {
  return typeof at !== 'number' ? 0 : Math.max(0, now - at) / 1000;
}
