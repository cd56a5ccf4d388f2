/** Metrics that are read from the database. Queries read bounded parts of indexes, at most every 5 s. */
import { setTimeout as delay } from 'node:timers/promises';
import { countOrdersInReview, type DueWork, jobBacklogs, nextDueWork } from '../db/backlog-counts.js';
import type { Queries } from '../db/database.js';
import { type Backlog, orderBacklog } from '../db/overview-counts.js';
import type { JobName } from '../db/schema.js';
import { errorName } from '../domain/error-name.js';
import type { EventLog } from '../domain/event-log.js';
import { ORDER_STATES, type OrderState } from '../domain/order.js';

/** Maximum count of each figure. It bounds the cost of a query. */
const MAX_COUNT = 1_000;
/** TTL of the figures, shared by all scrapers. */
const CACHE_TTL_MS = 5_000;
/** Deadline of the queries: below the usual scrape timeout of 10 s, so that a scrape can report an unreachable database. */
const READ_DEADLINE_MS = 3_000;

export interface Figures {
  readonly orders: ReadonlyMap<OrderState, Backlog>;
  readonly inReview: number;
  readonly jobs: ReadonlyMap<JobName, Backlog>;
  readonly due: DueWork;
}

/** Returns a function that reads the figures, cached for 5 s. It resolves with `undefined` after a failure or after 3 s. */
export function createFiguresReader(queries: Queries, log: EventLog): () => Promise<Figures | undefined> {
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

async function readFigures(queries: Queries): Promise<Figures> {
  const orders = new Map<OrderState, Backlog>();
  for (const state of ORDER_STATES) orders.set(state, await orderBacklog(queries, [state], MAX_COUNT));
  return {
    orders,
    inReview: await countOrdersInReview(queries, MAX_COUNT),
    jobs: await jobBacklogs(queries, MAX_COUNT),
    due: await nextDueWork(queries),
  };
}
