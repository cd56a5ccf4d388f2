import type { IRouter } from 'express';
import type { CheckoutServices } from '../../checkout/services.js';
import { withDeadline } from '../../checkout/with-deadline.js';
import { writeCheck } from '../../db/write-check.js';
import { faultName } from '../../domain/fault-name.js';
import { noStore } from '../middleware/security-headers.js';
import { flowServices } from '../request-context.js';
import type { WebServices } from '../services.js';

/** Must be shorter than the probe timeout of a proxy. */
const READY_DEADLINE_MS = 2_000;

/**
 * Adds `GET /healthz` (liveness) and `GET /readyz` (readiness).
 * Ready means that the database can be read and written and no shutdown has begun.
 * The reason of a database failure is logged and not sent.
 */
export function addHealthRoutes(app: IRouter, web: WebServices): void {
  const checkWritable = writeCheck(web.checkout.db);
  app.get('/healthz', noStore, (_req, res) => {
    res.type('text').send('ok');
  });
  app.get('/readyz', noStore, async (_req, res) => {
    const ready = !web.shutdown.aborted && (await isDatabaseReady(flowServices(web, res), checkWritable));
    res
      .status(ready ? 200 : 503)
      .type('text')
      .send(ready ? 'ok' : 'not ok');
  });
}

async function isDatabaseReady(
  { db, log }: CheckoutServices,
  checkWritable: () => Promise<void>,
): Promise<boolean> {
  try {
    await withDeadline(READY_DEADLINE_MS, async () => {
      await db.ping();
      await checkWritable();
    });
    return true;
  } catch (error) {
    log.warn('not_ready', { reason: faultName(error) });
    return false;
  }
}
