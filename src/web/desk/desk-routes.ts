import type { IRouter, Request, RequestHandler, Response } from 'express';
import { addressOf, limitTries } from '../middleware/limit-attempts.js';
import { noStore } from '../middleware/security-headers.js';
import { contextOf, flowServices } from '../request-context.js';
import type { WebServices } from '../services.js';
import { textOf } from '../text-of.js';
import { type DeskPassword, deskPassword } from './desk-password.js';
import { beginVisit, deskSession, endVisit, requireSignIn, SIGN_IN_PATH } from './desk-session.js';
import { addOrderRoutes } from './order-routes.js';
import { addOrdersRoutes } from './orders-routes.js';
import { addOverviewRoutes } from './overview-routes.js';

/** Passwords are guessed by machines: from one address, and from many together. */
const SIGN_IN_LIMITS = [
  { name: 'desk_address', most: 10, seconds: 600, keyOf: addressOf },
  { name: 'desk_all', most: 60, seconds: 600, keyOf: () => 'desk' },
] as const;

/** The merchant's desk under `/admin`: sign-in, orders, and the decisions that only a person can take. */
export function addDeskRoutes(app: IRouter, web: WebServices): void {
  const { adminPassword, sessionSecret } = web.settings;
  if (adminPassword === undefined) return;
  const password = deskPassword(adminPassword, sessionSecret);
  app.use('/admin', noStore, hidden, deskSession(web));
  app.get(SIGN_IN_PATH, (_req, res) => sendSignIn(web, res));
  app.post(SIGN_IN_PATH, limitTries(web, SIGN_IN_LIMITS), (req, res) => signIn(web, password, { req, res }));
  app.use('/admin', requireSignIn(web, password));
  app.post('/admin/sign-out', async (req, res) => {
    await endVisit(req);
    res.redirect(303, SIGN_IN_PATH);
  });
  addOverviewRoutes(app, web);
  addOrdersRoutes(app, web);
  addOrderRoutes(app, web);
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
