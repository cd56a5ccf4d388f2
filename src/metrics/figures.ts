/** Metrics that are read from the database. Queries read bounded parts of indexes, at most every 5 s. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Queries } from '../db/database.js';
import { type Backlog, orderBacklog } from '../db/desk-figures.js';
import type { Effect } from '../db/outbox.js';
import { countOrdersForPerson, type DueWork, effectBacklogs, nextDueWork } from '../db/work-figures.js';
import type { EventLog } from '../domain/event-log.js';
import { faultName } from '../domain/fault-name.js';
import { ORDER_STATES, type OrderState } from '../domain/order.js';

/** Maximum count of each figure, which bounds the cost of a query. */
const MOST = 1_000;
/** TTL of the figures, shared by all scrapers. */
const KEPT_MS = 5_000;
/** Deadline of the queries: below the usual scrape timeout of 10 s, so that a scrape can report an unreachable database. */
const PATIENCE_MS = 3_000;

export interface Figures {
  readonly orders: ReadonlyMap<OrderState, Backlog>;
  readonly forPerson: number;
  readonly effects: ReadonlyMap<Effect['effect'], Backlog>;
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
          log.error('figures_not_read', { reason: faultName(error) });
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
    forPerson: await countOrdersForPerson(queries, MOST),
    effects: await effectBacklogs(queries, MOST),
    due: await nextDueWork(queries),
  };
}
