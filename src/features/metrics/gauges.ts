/** Gauges, set at each scrape. Most are read from the database. Db read bounded parts of indexes, at most every 5 s. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../../db/database.js';
import type { Clock } from '../../payments/index.js';
import { type Backlog, jobBacklogs, orderBacklogs } from '../../payments/index.js';
import { errorName, ORDER_STATES, type OrderState } from '../../payments/rules/index.js';
import type { EventLog } from '../../shop/rules/event-log.js';
import type { MetricFactory } from './metric-factory.js';
import { countOrdersInReview, nextDueWork } from './repository.js';

/** Maximum count of each figure. It bounds the cost of a query. */
const MAX_COUNT = 1_000;
/** TTL of the figures, shared by all scrapers. */
const CACHE_TTL_MS = 5_000;
/** Deadline of the queries. A scrape, usually limited to 10 s, can then report an unreachable database. */
const READ_DEADLINE_MS = 3_000;

/** Order states that are not final. */
const OPEN_STATES: readonly OrderState[] = ['created', 'pending', 'outcome_unknown', 'review'];
const QUEUES = ['lookups', 'webhooks', 'jobs'] as const;

type Figures = Awaited<ReturnType<typeof readFigures>>;

/** Returns a function that reads the figures, cached for 5 s. It resolves with `undefined` after a failure or after 3 s. */
export function createFiguresReader(queries: Db, log: EventLog): () => Promise<Figures | undefined> {
  let readAt = Number.NEGATIVE_INFINITY;
  let cached: Promise<Figures | undefined> = Promise.resolve(undefined);
  return () => {
    if (performance.now() - readAt >= CACHE_TTL_MS) {
      readAt = performance.now();
      cached = Promise.race([
        readFigures(queries).catch((error: unknown) => {
          log.error('metrics.read_failed', { reason: errorName(error) });
          return undefined;
        }),
        delay(READ_DEADLINE_MS, undefined, { ref: false }),
      ]);
    }
    return cached;
  };
}

async function readFigures(queries: Db) {
  return {
    orders: await orderBacklogs(queries, ORDER_STATES, MAX_COUNT),
    inReview: await countOrdersInReview(queries, MAX_COUNT),
    jobs: await jobBacklogs(queries, MAX_COUNT),
    due: await nextDueWork(queries),
  };
}

/** Registers the gauges. Returns a function that sets them. Without figures it removes the values that come from the database. */
export function registerGauges({ gauge }: MetricFactory, clock: Clock, jobNames: readonly string[]) {
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
  const overdue = gauge(
    'tianguis_work_overdue_seconds',
    'Delay of the first due item of each queue, whether or not a worker runs',
    'queue',
  );
  return (figures: Figures | undefined) => {
    const now = clock.now();
    time.set(now / 1000);
    up.set(Number(figures !== undefined));
    for (const each of [orders, oldestOrder, jobs, oldestJob, overdue]) each.reset();
    inReview.remove();
    if (!figures) return;
    for (const [state, { count, oldestAt }] of figures.orders) {
      orders.set({ state }, count);
      if (OPEN_STATES.includes(state)) oldestOrder.set({ state }, ageOf(oldestAt, now));
    }
    inReview.set(figures.inReview);
    const jobsByName: ReadonlyMap<string, Backlog> = figures.jobs;
    for (const job of new Set([...jobNames, ...figures.jobs.keys()])) {
      const backlog = jobsByName.get(job);
      jobs.set({ job }, backlog?.count ?? 0);
      oldestJob.set({ job }, ageOf(backlog?.oldestAt, now));
    }
    for (const queue of QUEUES) overdue.set({ queue }, ageOf(figures.due[queue], now));
  };
}

/** Returns the seconds since a time. Returns 0 without a time, and for a time in the future. */
function ageOf(at: number | null | undefined, now: number): number {
  return typeof at !== 'number' ? 0 : Math.max(0, now - at) / 1000;
}
