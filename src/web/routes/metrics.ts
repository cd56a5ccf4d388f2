import type { IRouter, Request } from 'express';
import type { WebContext } from '../context.js';
import { noStore } from '../middleware/security-headers.js';
import { isSameSecret } from '../same-secret.js';

/** Adds `GET /metrics`. Answers 404 to unauthorized clients. */
export function addMetricsRoutes(app: IRouter, web: WebContext): void {
  app.get(
    '/metrics',
    (req, _res, next) => next(mayRead(web, req) ? undefined : 'route'),
    noStore,
    async (_req, res) => {
      res.set('Content-Type', web.metrics.contentType).send(await web.metrics.read());
    },
  );
}

/** With `metricsToken`, requires it as a bearer token. Without it, allows only local clients, and only in development. */
function mayRead({ settings }: WebContext, req: Request): boolean {
  const { metricsToken, production } = settings;
  if (metricsToken === undefined) return !production && isFromHere(req);
  const { authorization } = req.headers;
  return authorization !== undefined && isSameSecret(authorization, `Bearer ${metricsToken}`);
}

const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/;
const PASSED_ON = ['x-forwarded-for', 'forwarded', 'via'];

/** Requests with proxy headers are not local, because a local proxy forwards requests of remote clients. */
function isFromHere(req: Request): boolean {
  return (
    LOOPBACK.test(req.socket.remoteAddress ?? '') &&
    PASSED_ON.every((name) => req.headers[name] === undefined)
  );
}
