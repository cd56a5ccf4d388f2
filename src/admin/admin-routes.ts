import type { IRouter, Request, RequestHandler, Response } from 'express';
import type { Limiter } from '../db/limits.js';
import type { WebContext } from '../web/context.js';
import { addressOf, tooManyAttempts } from '../web/middleware/rate-limit.js';
import { noStore } from '../web/middleware/security-headers.js';
import { readText } from '../web/read-text.js';
import { render } from '../web/render.js';
import { checkoutFor, contextOf } from '../web/request-context.js';
import { addAdminOrderRoutes } from './admin-order-routes.js';
import { type AdminPassword, hashPassword } from './admin-password.js';
import {
  adminSession,
  endAdminSession,
  requireSignIn,
  SIGN_IN_PATH,
  startAdminSession,
} from './admin-session.js';
import { addOrdersRoutes } from './orders-routes.js';
import { addOverviewRoutes } from './overview-routes.js';
import { addProductsRoutes } from './products-routes.js';

/** Limit of failed sign-ins by address. There is no shared limit, because other clients could lock the merchant out. */
const FAILED_SIGN_INS = { name: 'admin_address', most: 10, seconds: 600 } as const;

/** Adds the back office under `/admin`: sign-in, overview, orders, decisions and products. Adds nothing without an admin password. */
export function addAdminRoutes(app: IRouter, web: WebContext): void {
  const { adminPassword, sessionSecret } = web.settings;
  if (adminPassword === undefined) return;
  const password = hashPassword(adminPassword, sessionSecret);
  const failures = web.checkout.db.limiter(FAILED_SIGN_INS);
  app.use('/admin', noStore, hidden, adminSession(web));
  app.get(SIGN_IN_PATH, (_req, res) => sendSignIn(web, res));
  app.post(SIGN_IN_PATH, (req, res) => signIn(web, req, res, { password, failures }));
  app.use('/admin', requireSignIn(web, password));
  app.post('/admin/sign-out', async (req, res) => {
    await endAdminSession(req);
    res.redirect(303, SIGN_IN_PATH);
  });
  addOverviewRoutes(app, web);
  addOrdersRoutes(app, web);
  addAdminOrderRoutes(app, web);
  addProductsRoutes(app, web);
}

const hidden: RequestHandler = (_req, res, next) => {
  res.set('X-Robots-Tag', 'noindex');
  next();
};

function sendSignIn(web: WebContext, res: Response, error?: string): Promise<void> {
  const { t } = contextOf(res);
  return render(web, res, 'admin-sign-in', {
    title: t('admin.signIn.title'),
    status: error === undefined ? 200 : 401,
    path: SIGN_IN_PATH,
    page: error === undefined ? {} : { error },
  });
}

async function signIn(
  web: WebContext,
  req: Request,
  res: Response,
  { password, failures }: { readonly password: AdminPassword; readonly failures: Limiter },
): Promise<void> {
  const { log, clock } = checkoutFor(web, res);
  const address = addressOf(req);
  // Counted before the password check, so that parallel guesses are counted too.
  const seconds = await failures.count(address);
  if (seconds !== undefined) throw tooManyAttempts(web, res, { name: FAILED_SIGN_INS.name, seconds });
  if (!(await password.matches(readText((req.body as Readonly<Record<string, unknown>>)['password'])))) {
    log.warn('admin.sign_in_rejected');
    return sendSignIn(web, res, contextOf(res).t('admin.signIn.wrong'));
  }
  await failures.reset(address);
  await startAdminSession(req, { since: clock.now(), mark: password.mark });
  log.info('admin.signed_in');
  res.redirect(303, '/admin');
}
