/** What the metrics read from the database: bounded pieces of indexes, and no more often than every few seconds. */
import { setTimeout as delay } from 'node:timers/promises';
import { ORDER_STATES, type OrderState } from '../core/order.js';
import type { Queries } from '../store/database.js';
import { type Backlog, orderBacklog } from '../store/desk-figures.js';
import type { Effect } from '../store/outbox.js';
import { countOrdersForPerson, type DueWork, effectBacklogs, nextDueWork } from '../store/work-figures.js';

/** Counted no further: more than this is "many", and counting costs. */
const MOST = 1_000;
/** However many scrapers ask, and however often. */
const KEPT_MS = 5_000;
/** A scraper gives up after ten seconds; it must hear that the database is silent before. */
const PATIENCE_MS = 3_000;

export interface Figures {
  readonly orders: ReadonlyMap<OrderState, Backlog>;
  readonly forPerson: number;
  readonly effects: ReadonlyMap<Effect['effect'], Backlog>;
  readonly due: DueWork;
}

/** Reads the figures, or hands out those of a moment ago; `undefined` when the database does not answer in time. */
export function figuresReader(queries: Queries): () => Promise<Figures | undefined> {
  let readAt = Number.NEGATIVE_INFINITY;
  let kept: Promise<Figures | undefined> = Promise.resolve(undefined);
  return () => {
    if (performance.now() - readAt >= KEPT_MS) {
      readAt = performance.now();
      kept = Promise.race([
        readFigures(queries).catch(() => undefined),
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
