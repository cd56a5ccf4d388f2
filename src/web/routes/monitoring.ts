import type { IRouter, Request } from 'express';
import type { CheckoutContext } from '../../checkout/context.js';
import { withDeadline } from '../../checkout/with-deadline.js';
import { writeCheck } from '../../db/connection/write-check.js';
import { errorName } from '../../domain/error-name.js';
import type { WebContext } from '../context.js';
import { isSameSecret } from '../middleware/request-checks.js';
import { noStore } from '../middleware/security-headers.js';
import { paths } from '../paths.js';
import { contextOf } from '../request-context.js';

/** Must be shorter than the probe timeout of a proxy. */
const READY_DEADLINE_MS = 2_000;

/**
 * Adds `GET /healthz` (liveness), `GET /readyz` (readiness) and `GET /metrics`, which answers 404 to unauthorized clients.
 * Ready means that the database can be read and written and no shutdown has begun.
 * The reason of a database failure is logged and not sent.
 */
export function addMonitoringRoutes(app: IRouter, web: WebContext): void {
  const checkWritable = writeCheck(web.checkout.db);
  app.get(paths.liveness, noStore, (_req, res) => {
    res.type('text').send('ok');
  });
  app.get(paths.readiness, noStore, async (_req, res) => {
    const isReady = !web.shutdown.aborted && (await isDatabaseReady(contextOf(res).checkout, checkWritable));
    res.status(isReady ? 200 : 503).type('text');
    res.send(isReady ? 'ok' : 'not ok');
  });
  app.get(paths.metrics, async (req, res, next) => {
    if (!mayReadMetrics(web, req)) return next('route');
    res.set({ 'Content-Type': web.metrics.contentType, 'Cache-Control': 'no-store' });
    res.send(await web.metrics.read());
  });
}

async function isDatabaseReady({ db, log }: CheckoutContext, checkWritable: () => Promise<void>): Promise<boolean> {
  try {
    await withDeadline(READY_DEADLINE_MS, async () => {
      await db.ping();
      await checkWritable();
    });
    return true;
  } catch (error) {
    log.warn('readiness.failed', { reason: errorName(error) });
    return false;
  }
}

/** With `metricsToken`, requires it as a bearer token. Without it, allows only local clients, and only in development. */
function mayReadMetrics({ config, secrets }: WebContext, req: Request): boolean {
  const { metricsToken } = secrets;
  if (metricsToken === undefined) return !config.production && isFromHere(req);
  const { authorization } = req.headers;
  return authorization !== undefined && isSameSecret(authorization, `Bearer ${metricsToken}`);
}

const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/;
const PASSED_ON = ['x-forwarded-for', 'forwarded', 'via'];

/** Requests with proxy headers are not local, because a local proxy forwards requests of remote clients. */
function isFromHere(req: Request): boolean {
  return LOOPBACK.test(req.socket.remoteAddress ?? '') && PASSED_ON.every((name) => req.headers[name] === undefined);
}
