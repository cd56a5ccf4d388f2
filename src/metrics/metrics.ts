import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Clock } from '../checkout/context.js';
import type { Observer } from '../checkout/observer.js';
import type { Queries } from '../db/database.js';
import type { EventLog } from '../domain/event-log.js';
import { countInto } from './counters.js';
import { figuresReader } from './database-counts.js';
import { levelsOf } from './gauges.js';

export interface Metrics {
  readonly observer: Observer;
  readonly contentType: string;
  /** Everything in Prometheus' own text. Resolves whatever the database does, within a few seconds. */
  read(): Promise<string>;
}

export interface MetricsParts {
  readonly queries: Queries;
  readonly clock: Clock;
  readonly log: EventLog;
  /** TTL of an order's checkout session, in milliseconds. */
  readonly orderTtlMs: number;
}

/** Creates the metrics of one shop in its own registry, so that two shops in one process do not share counts. */
export function createMetrics({ queries, clock, log, orderTtlMs }: MetricsParts): Metrics {
  const registry = new Registry();
  const observer = countInto(registry);
  const setLevels = levelsOf(registry, clock);
  const readFigures = figuresReader(queries, log);
  new Gauge({
    name: 'tianguis_order_ttl_seconds',
    help: 'How long a payment page may be paid',
    registers: [registry],
  }).set(orderTtlMs / 1000);
  let watchesProcess = false;
  return {
    observer,
    contentType: registry.contentType,
    async read() {
      // Default metrics observe the event loop and the garbage collector. They start at the first scrape, to save their cost.
      if (!watchesProcess) collectDefaultMetrics({ register: registry });
      watchesProcess = true;
      setLevels(await readFigures());
      return registry.metrics();
    },
  };
}
