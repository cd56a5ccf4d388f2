import { withDeadline } from '@tianguis/payments/operations';
import { errorName } from '@tianguis/payments/rules';
import type { IRouter } from 'express';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import { writeCheck } from '../../tables/write-check.js';
import { showToDoctor } from '../middleware/request-checks.js';
import { noStore } from '../middleware/security-headers.js';
import { paths } from '../paths.js';
import { contextOf, markProbe } from '../request-context.js';
import type { WebContext } from '../web-context.js';

/** Must be shorter than the probe timeout of a proxy. */
const READY_DEADLINE_MS = 2_000;
/** Longer than any transaction may take. Only a restart frees a lock that is held longer. */
const MAX_LOCK_MS = 60_000;

/**
 * Adds `GET /healthz` (liveness) and `GET /readyz` (readiness).
 * Alive means that this process is not stuck. It never depends on another system.
 * Ready means that the database can be read and written and no shutdown has begun.
 * The reason of a database failure is logged and not sent.
 */
export function addMonitoringRoutes(app: IRouter, web: WebContext): void {
  const checkWritable = writeCheck(web.checkout.db);
  app.get(paths.liveness, noStore, showToDoctor(web), (_req, res) => {
    markProbe(res);
    const isStuck = web.checkout.db.lockHeldMs() > MAX_LOCK_MS;
    res.status(isStuck ? 503 : 200).type('text');
    res.send(isStuck ? 'stuck' : 'ok');
  });
  app.get(paths.readiness, noStore, async (_req, res) => {
    markProbe(res);
    const isReady = !web.shutdown.aborted && (await isDatabaseReady(contextOf(res).checkout, checkWritable));
    res.status(isReady ? 200 : 503).type('text');
    res.send(isReady ? 'ok' : 'not ok');
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
