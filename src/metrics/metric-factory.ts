import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Prefix of the names of all metrics of the shop. */
const NAMESPACE = 'tianguis_';

export type MetricFactory = ReturnType<typeof metricFactory>;

/** Returns functions that create metrics in one registry. */
export function metricFactory(registry: Registry) {
  const common = (name: string, help: string) => ({
    name: `${NAMESPACE}${name}`,
    help,
    registers: [registry],
  });
  return {
    counter: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter({ ...common(name, help), labelNames }),
    gauge: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Gauge({ ...common(name, help), labelNames }),
    histogram: <Label extends string>(
      name: string,
      help: string,
      options: { readonly labelNames: Label[]; readonly buckets: number[] },
    ) => new Histogram({ ...common(name, help), ...options }),
  };
}
