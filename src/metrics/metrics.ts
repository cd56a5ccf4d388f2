import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Observer } from '../checkout/observer.js';
import type { Clock } from '../checkout/services.js';
import type { Queries } from '../store/database.js';
import { countInto } from './counters.js';
import { figuresReader } from './figures.js';
import { levelsOf } from './levels.js';

export interface Metrics {
  readonly observer: Observer;
  readonly contentType: string;
  /** Everything in Prometheus' own text. Resolves whatever the database does, within a few seconds. */
  read(): Promise<string>;
}

export interface MetricsParts {
  readonly queries: Queries;
  readonly clock: Clock;
  /** How long an order's payment page may live, in milliseconds. */
  readonly orderTtlMs: number;
}

/** The metrics of one shop, in a registry of its own: two shops in one process do not count for each other. */
export function createMetrics({ queries, clock, orderTtlMs }: MetricsParts): Metrics {
  const registry = new Registry();
  const observer = countInto(registry);
  const setLevels = levelsOf(registry, clock);
  const readFigures = figuresReader(queries);
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
      // Watching the event loop and the garbage collector costs a little: only who is asked does it.
      if (!watchesProcess) collectDefaultMetrics({ register: registry });
      watchesProcess = true;
      setLevels(await readFigures());
      return registry.metrics();
    },
  };
}
