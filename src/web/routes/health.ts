import type { IRouter } from 'express';
import { noStore } from '../middleware/security-headers.js';
import type { WebServices } from '../services.js';

/** `GET /healthz`: the process answers. `GET /readyz`: it can take orders. Neither says more than that. */
export function addHealthRoutes(app: IRouter, { checkout }: WebServices, isClosing: () => boolean): void {
  app.get('/healthz', noStore, (_req, res) => {
    res.type('text').send('ok');
  });
  app.get('/readyz', noStore, async (_req, res) => {
    const ready =
      !isClosing() &&
      (await checkout.db.ping().then(
        () => true,
        () => false,
      ));
    res
      .status(ready ? 200 : 503)
      .type('text')
      .send(ready ? 'ok' : 'not ok');
  });
}
