/** Metrics that are read from the database. Queries read bounded parts of indexes, at most every 5 s. */
import { setTimeout as delay } from 'node:timers/promises';
import { countOrdersInReview, type DueWork, jobBacklogs, nextDueWork } from '../db/backlog-counts.js';
import type { Queries } from '../db/database.js';
import { type Backlog, orderBacklog } from '../db/overview-counts.js';
import type { JobName } from '../db/schema.js';
import { errorName } from '../domain/error-name.js';
import type { EventLog } from '../domain/event-log.js';
import { ORDER_STATES, type OrderState } from '../domain/order.js';

/** Maximum count of each figure, which bounds the cost of a query. */
const MOST = 1_000;
/** TTL of the figures, shared by all scrapers. */
const KEPT_MS = 5_000;
/** Deadline of the queries: below the usual scrape timeout of 10 s, so that a scrape can report an unreachable database. */
const PATIENCE_MS = 3_000;

export interface Figures {
  readonly orders: ReadonlyMap<OrderState, Backlog>;
  readonly inReview: number;
  readonly jobs: ReadonlyMap<JobName, Backlog>;
  readonly due: DueWork;
}

/** Returns a function that reads the figures, cached for 5 s. It resolves with `undefined` on a failure or after 3 s. */
export function figuresReader(queries: Queries, log: EventLog): () => Promise<Figures | undefined> {
  let readAt = Number.NEGATIVE_INFINITY;
  let kept: Promise<Figures | undefined> = Promise.resolve(undefined);
  return () => {
    if (performance.now() - readAt >= KEPT_MS) {
      readAt = performance.now();
      kept = Promise.race([
        readFigures(queries).catch((error: unknown) => {
          log.error('metrics.read_failed', { reason: errorName(error) });
          return undefined;
        }),
        delay(PATIENCE_MS, undefined, { ref: false }),
      ]);
    }
    return kept;
  };
}

async function readFigures(queries: Queries): Promise<Figures> {
  const orders = new Map<OrderState, Backlog>();
  for (const state of ORDER_STATES) orders.set(state, await orderBacklog(queries, [state], MOST));
  return {
    orders,
    inReview: await countOrdersInReview(queries, MOST),
    jobs: await jobBacklogs(queries, MOST),
    due: await nextDueWork(queries),
  };
}
