import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Config } from '../../config/config.js';
import type { Db } from '../../db/database.js';
import type { Clock } from '../../payments/index.js';
import type { EventLog } from '../../shop/rules/event-log.js';
import { registerCounters } from './counters.js';
import { createFiguresReader, registerGauges } from './gauges.js';
import { metricFactory } from './metric-factory.js';

/** Creates the metrics of one shop in its own registry. Two shops in one process therefore share no counts. */
export function createMetrics(
  { orderTtlMs }: Pick<Config, 'orderTtlMs'>,
  { queries, clock, log }: { readonly queries: Db; readonly clock: Clock; readonly log: EventLog },
) {
  const registry = new Registry();
  const factory = metricFactory(registry);
  const observer = registerCounters(factory);
  const setGauges = registerGauges(factory, clock);
  const readFigures = createFiguresReader(queries, log);
  factory.gauge('tianguis_order_ttl_seconds', 'TTL of a checkout session').set(orderTtlMs / 1000);
  let defaultMetricsStarted = false;
  return {
    observer,
    contentType: registry.contentType,
    /** Returns all metrics in the Prometheus text format. Resolves within a few seconds, also if the database does not answer. */
    async read() {
      // Default metrics observe the event loop and the garbage collector. They start at the first scrape, because they cost time.
      if (!defaultMetricsStarted) collectDefaultMetrics({ register: registry });
      defaultMetricsStarted = true;
      setGauges(await readFigures());
      return registry.metrics();
    },
  };
}
