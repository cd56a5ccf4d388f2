import { Histogram, type Registry } from 'prom-client';
import type { Observer } from '../checkout/observer.js';

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Observe = (seconds: number) => void;

/** Measures request durations. The series of each route and status class is cached, because every request needs it. */
export function measureRequests(registry: Registry): Observer['requestEnded'] {
  const durations = new Histogram({
    name: 'tianguis_http_request_duration_seconds',
    help: 'Duration of requests, from the first byte received to the last byte sent',
    labelNames: ['route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const series = new Map<string, Observe[]>();
  return (route, status, ms) => {
    const statusClass = Math.floor(status / 100);
    const ofRoute = series.get(route) ?? [];
    if (ofRoute.length === 0) series.set(route, ofRoute);
    const observe = ofRoute[statusClass] ?? durations.labels(route, `${statusClass}xx`).observe;
    ofRoute[statusClass] = observe;
    observe(ms / 1000);
  };
}
