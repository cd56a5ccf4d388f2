import type { IRouter, Request, RequestHandler, Response } from 'express';
import { FEATURES } from '../features/index.js';
import { ShopError } from '../shop/rules/shop-error.js';
import { hasAdminUsers } from '../tables/admin-users.js';
import { sendPostedProblem } from '../web/error-responses.js';
import { noStore } from '../web/middleware/security-headers.js';
import { adminPaths } from '../web/paths.js';
import { contextOf } from '../web/request-context.js';
import type { WebContext } from '../web/web-context.js';
import { adminSession, endAdminSession, readSignIn, requireSignIn } from './admin-session.js';
import { checkOrder, decideReview, sendOrder } from './order/admin-order-routes.js';
import { ordersRoutes } from './order/orders-routes.js';
import { sendOverview } from './overview-routes.js';
import { type AdminRoute, addGuardedRoutes, EVERY_ROLE, MANAGER } from './permissions.js';
import { addSignInRoutes } from './sign-in-routes.js';

/** Returns all routes of the back office that need a role, those of the features included. */
export function adminRoutesOf(web: WebContext): readonly AdminRoute[] {
  return [
    { post: adminPaths.signOut, roles: EVERY_ROLE, handler: signOut },
    // Before the routes with an order number, because /admin/orders/new has none.
    ...FEATURES.flatMap((feature) => feature.adminRoutes?.(web) ?? []),
    { get: adminPaths.overview, roles: EVERY_ROLE, handler: sendOverview },
    ...ordersRoutes(web),
    { get: adminPaths.order, roles: EVERY_ROLE, handler: sendOrder },
    { post: adminPaths.checkPayment, roles: MANAGER, handler: checkOrder },
    { post: adminPaths.decision, roles: MANAGER, handler: decideReview },
  ];
}

async function signOut(req: Request, res: Response): Promise<void> {
  await endAdminSession(req);
  contextOf(res).checkout.log.info('admin.signed_out');
  res.redirect(303, adminPaths.signIn);
}

/** Adds the back office under `/admin`. Without admin users its pages are not found. */
export function addAdminRoutes(app: IRouter, web: WebContext, routes: readonly AdminRoute[]): void {
  app.use(adminPaths.overview, requireUsers(web), noStore, noIndex, adminSession(web));
  addSignInRoutes(app, web);
  app.get(adminPaths.problem, readSignIn, sendPostedProblem);
  app.use(adminPaths.overview, requireSignIn);
  addGuardedRoutes(app, routes);
  app.use(adminPaths.overview, () => {
    throw new ShopError('admin_not_found');
  });
}

/** Throws `not_found` without admin users. A user is never deleted, so the database is read until there is one. */
function requireUsers({ checkout }: WebContext): RequestHandler {
  let found = false;
  return async (_req, _res, next) => {
    found ||= await hasAdminUsers(checkout.db.queries);
    next(found ? undefined : new ShopError('not_found'));
  };
}

const noIndex: RequestHandler = (_req, res, next) => {
  res.set('X-Robots-Tag', 'noindex');
  next();
};
