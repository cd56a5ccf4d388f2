import { collectDefaultMetrics, Registry } from 'prom-client';
import type { ObserverOptions } from '../../web/services.js';
import { registerCounters } from './counters.js';
import { createFiguresReader, registerGauges } from './gauges.js';
import { metricFactory } from './metric-factory.js';

/** Creates the metrics of one shop in its own registry. Two shops in one process therefore share no counts. */
export function createMetrics({ config, queries, clock, log, limits, jobs }: ObserverOptions) {
  const registry = new Registry();
  const factory = metricFactory(registry);
  const observer = registerCounters(factory, limits);
  const setGauges = registerGauges(factory, clock, jobs);
  const readFigures = createFiguresReader(queries, log, clock);
  factory.gauge('tianguis_order_ttl_seconds', 'TTL of a checkout session').set(config.orderTtlMs / 1000);
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
