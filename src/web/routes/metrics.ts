import type { IRouter, Request } from 'express';
import { noStore } from '../middleware/security-headers.js';
import { isSameSecret } from '../same-secret.js';
import type { WebServices } from '../services.js';

/** `GET /metrics` for who may read them; for anybody else the address does not exist. */
export function addMetricsRoutes(app: IRouter, web: WebServices): void {
  app.get(
    '/metrics',
    (req, _res, next) => next(mayRead(web, req) ? undefined : 'route'),
    noStore,
    async (_req, res) => {
      res.set('Content-Type', web.metrics.contentType).send(await web.metrics.read());
    },
  );
}

/** With a token, who brings it; without one, in development only, a program on this machine. */
function mayRead({ settings }: WebServices, req: Request): boolean {
  const { metricsToken, production } = settings;
  if (metricsToken === undefined) return !production && isFromHere(req);
  const { authorization } = req.headers;
  return authorization !== undefined && isSameSecret(authorization, `Bearer ${metricsToken}`);
}

const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/;
const PASSED_ON = ['x-forwarded-for', 'forwarded', 'via'];

/** A proxy on this machine connects from here too; what it passes on comes from anywhere. */
function isFromHere(req: Request): boolean {
  return (
    LOOPBACK.test(req.socket.remoteAddress ?? '') &&
    PASSED_ON.every((name) => req.headers[name] === undefined)
  );
}
