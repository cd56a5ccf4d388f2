import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Clock } from '../checkout/context.js';
import type { Observer } from '../checkout/observer.js';
import type { Queries } from '../db/database.js';
import type { EventLog } from '../domain/event-log.js';
import { registerCounters } from './counters.js';
import { createFiguresReader } from './database-counts.js';
import { registerGauges } from './gauges.js';

export interface Metrics {
  readonly observer: Observer;
  readonly contentType: string;
  /** Returns all metrics in the Prometheus text format. Resolves within a few seconds, also if the database does not answer. */
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
  const observer = registerCounters(registry);
  const setGauges = registerGauges(registry, clock);
  const readFigures = createFiguresReader(queries, log);
  new Gauge({
    name: 'tianguis_order_ttl_seconds',
    help: 'TTL of a checkout session',
    registers: [registry],
  }).set(orderTtlMs / 1000);
  let defaultMetricsStarted = false;
  return {
    observer,
    contentType: registry.contentType,
    async read() {
      // Default metrics observe the event loop and the garbage collector. They start at the first scrape, because they cost time.
      if (!defaultMetricsStarted) collectDefaultMetrics({ register: registry });
      defaultMetricsStarted = true;
      setGauges(await readFigures());
      return registry.metrics();
    },
  };
}
