import { type Request, type RequestHandler, type Response, Router } from 'express';
import { addressOf, limitTries } from '../middleware/limit-attempts.js';
import { noStore } from '../middleware/security-headers.js';
import { contextOf, flowServices } from '../request-context.js';
import type { WebServices } from '../services.js';
import { textOf } from '../text-of.js';
import { type DeskPassword, deskPassword } from './desk-password.js';
import { beginVisit, deskSession, endVisit, requireSignIn, SIGN_IN_PATH } from './desk-session.js';
import { orderRoutes } from './order-routes.js';
import { ordersRoutes } from './orders-routes.js';
import { overviewRoutes } from './overview-routes.js';

/** Passwords are guessed by machines: from one address, and from many together. */
const SIGN_IN_LIMITS = [
  { name: 'desk_address', most: 10, seconds: 600, keyOf: addressOf },
  { name: 'desk_all', most: 60, seconds: 600, keyOf: () => 'desk' },
] as const;

/** The merchant's desk under `/admin`: sign-in, orders, and the decisions that only a person can take. */
export function deskRoutes(web: WebServices): Router {
  const router = Router();
  const { adminPassword, sessionSecret } = web.settings;
  if (adminPassword === undefined) return router;
  const password = deskPassword(adminPassword, sessionSecret);
  router.use('/admin', noStore, hidden, deskSession(web));
  router.get(SIGN_IN_PATH, (_req, res) => sendSignIn(web, res));
  router.post(SIGN_IN_PATH, limitTries(web, SIGN_IN_LIMITS), (req, res) =>
    signIn(web, password, { req, res }),
  );
  router.use('/admin', requireSignIn(web, password));
  router.post('/admin/sign-out', async (req, res) => {
    await endVisit(req);
    res.redirect(303, SIGN_IN_PATH);
  });
  router.use(overviewRoutes(web), ordersRoutes(web), orderRoutes(web));
  return router;
}

const hidden: RequestHandler = (_req, res, next) => {
  res.set('X-Robots-Tag', 'noindex');
  next();
};

function sendSignIn(web: WebServices, res: Response, error?: string): Promise<void> {
  const { t } = contextOf(res);
  return web.pages.send(res, {
    view: 'desk-sign-in',
    title: t('desk.signIn.title'),
    status: error === undefined ? 200 : 401,
    path: SIGN_IN_PATH,
    page: error === undefined ? {} : { error },
  });
}

async function signIn(
  web: WebServices,
  password: DeskPassword,
  { req, res }: { readonly req: Request; readonly res: Response },
): Promise<void> {
  const { log, clock } = flowServices(web, res);
  if (!(await password.matches(textOf((req.body as Readonly<Record<string, unknown>>)['password'])))) {
    log.warn('desk_sign_in_refused');
    return sendSignIn(web, res, contextOf(res).t('desk.signIn.wrong'));
  }
  await beginVisit(req, { since: clock.now(), mark: password.mark });
  log.info('desk_sign_in');
  res.redirect(303, '/admin');
}
