import type { IRouter, Request, RequestHandler, Response } from 'express';
import type { Limiter } from '../db/limits.js';
import { addressOf, tooManyAttempts } from '../web/middleware/limit-attempts.js';
import { noStore } from '../web/middleware/security-headers.js';
import { render } from '../web/render.js';
import { contextOf, flowServices } from '../web/request-context.js';
import type { WebServices } from '../web/services.js';
import { textOf } from '../web/text-of.js';
import { type DeskPassword, deskPassword } from './desk-password.js';
import { beginVisit, deskSession, endVisit, requireSignIn, SIGN_IN_PATH } from './desk-session.js';
import { addOrderRoutes } from './order-routes.js';
import { addOrdersRoutes } from './orders-routes.js';
import { addOverviewRoutes } from './overview-routes.js';

/** Limit of failed sign-ins by address. There is no shared limit, because other clients could lock the merchant out. */
const FAILED_SIGN_INS = { name: 'desk_address', most: 10, seconds: 600 } as const;

/** Adds the back office under `/admin`: sign-in, overview, orders and decisions. Adds nothing without an admin password. */
export function addDeskRoutes(app: IRouter, web: WebServices): void {
  const { adminPassword, sessionSecret } = web.settings;
  if (adminPassword === undefined) return;
  const password = deskPassword(adminPassword, sessionSecret);
  const failures = web.checkout.db.limiter(FAILED_SIGN_INS);
  app.use('/admin', noStore, hidden, deskSession(web));
  app.get(SIGN_IN_PATH, (_req, res) => sendSignIn(web, res));
  app.post(SIGN_IN_PATH, (req, res) => signIn(web, req, res, { password, failures }));
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
  return render(web, res, 'desk-sign-in', {
    title: t('desk.signIn.title'),
    status: error === undefined ? 200 : 401,
    path: SIGN_IN_PATH,
    page: error === undefined ? {} : { error },
  });
}

async function signIn(
  web: WebServices,
  req: Request,
  res: Response,
  { password, failures }: { readonly password: DeskPassword; readonly failures: Limiter },
): Promise<void> {
  const { log, clock } = flowServices(web, res);
  const address = addressOf(req);
  // Counted before the password check, so that parallel guesses are counted too.
  const seconds = await failures.count(address);
  if (seconds !== undefined) throw tooManyAttempts(web, res, { name: FAILED_SIGN_INS.name, seconds });
  if (!(await password.matches(textOf((req.body as Readonly<Record<string, unknown>>)['password'])))) {
    log.warn('desk_sign_in_refused');
    return sendSignIn(web, res, contextOf(res).t('desk.signIn.wrong'));
  }
  await failures.reset(address);
  await beginVisit(req, { since: clock.now(), mark: password.mark });
  log.info('desk_sign_in');
  res.redirect(303, '/admin');
}
