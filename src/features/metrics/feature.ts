import { normalizeCredential } from '@tianguis/payments/rules';
import type { NextFunction, Request, Response } from 'express';
import type { Observer } from '../../shop/observer.js';
import { isSameSecret } from '../../web/middleware/request-checks.js';
import { contextOf, markProbe } from '../../web/request-context.js';
import type { ObserverOptions } from '../../web/services.js';
import type { WebContext } from '../../web/web-context.js';
import type { Feature } from '../feature.js';
import { createMetrics } from './metrics.js';
import { metricsPaths } from './paths.js';

/** The metrics of each shop of this process, by the observer that counts for it. */
const metricsOf = new WeakMap<Observer, ReturnType<typeof createMetrics>>();

/** Prometheus metrics. `GET /metrics` answers 404 to unauthorized clients. */
export const metrics: Feature = {
  name: 'metrics',
  place: 190,
  provides: { createObserver },
  probes: () => [{ get: metricsPaths.metrics, handler: sendMetrics }],
};

async function sendMetrics(req: Request, res: Response, next: NextFunction): Promise<void> {
  const context = contextOf(res);
  const found = metricsOf.get(context.checkout.observer);
  if (!found || !mayReadMetrics(context, req)) return next('route');
  markProbe(res);
  res.set({ 'Content-Type': found.contentType, 'Cache-Control': 'no-store' });
  res.send(await found.read());
}

function createObserver(options: ObserverOptions): Observer {
  const created = createMetrics(options);
  metricsOf.set(created.observer, created);
  return created.observer;
}

/** With `metricsToken`, requires it as a bearer token. Without it, allows only local clients, and only in development. */
function mayReadMetrics({ config, secrets }: WebContext, req: Request): boolean {
  const { metricsToken } = secrets.features;
  if (metricsToken === undefined) return !config.production && isFromHere(req);
  const { authorization } = req.headers;
  return authorization !== undefined && isSameSecret(normalizeCredential(authorization), `bearer ${metricsToken}`);
}

const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/;
const PASSED_ON = ['x-forwarded-for', 'forwarded', 'via'];

/** Requests with proxy headers are not local, because a local proxy forwards requests of remote clients. */
function isFromHere(req: Request): boolean {
  return LOOPBACK.test(req.socket.remoteAddress ?? '') && PASSED_ON.every((name) => req.headers[name] === undefined);
}
