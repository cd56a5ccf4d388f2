import type { IRouter, RequestHandler } from 'express';
import { hasAdminUsers } from '../db/admin-users.js';
import { FEATURES } from '../features/index.js';
import { ShopError } from '../shop/rules/shop-error.js';
import type { WebContext } from '../web/context.js';
import { sendPostedProblem } from '../web/error-responses.js';
import { noStore } from '../web/middleware/security-headers.js';
import { adminPaths } from '../web/paths.js';
import { contextOf } from '../web/request-context.js';
import { addAdminOrderRoutes } from './admin-order-routes.js';
import { adminSession, endAdminSession, readSignIn, requireSignIn } from './admin-session.js';
import { addOrdersRoutes } from './orders-routes.js';
import { addOverviewRoutes } from './overview-routes.js';
import { guardRoutes, permissionsOf } from './permissions.js';
import { addSignInRoutes } from './sign-in-routes.js';

/** Adds the back office under `/admin`. Without admin users its pages are not found. */
export function addAdminRoutes(app: IRouter, web: WebContext): void {
  app.use(adminPaths.overview, requireUsers(web), noStore, noIndex, adminSession(web));
  addSignInRoutes(app, web);
  app.get(adminPaths.problem, readSignIn, sendPostedProblem);
  app.use(adminPaths.overview, requireSignIn);
  // Each further route needs roles, in permissions.ts or in the `permissions` of its feature.
  const routes = guardRoutes(app, permissionsOf(FEATURES));
  routes.post(adminPaths.signOut, async (req, res) => {
    await endAdminSession(req);
    contextOf(res).checkout.log.info('admin.signed_out');
    res.redirect(303, adminPaths.signIn);
  });
  // Before the routes with an order number, because /admin/orders/new has none.
  for (const feature of FEATURES) feature.addAdminRoutes?.(routes, web);
  addOverviewRoutes(routes);
  addOrdersRoutes(routes, web);
  addAdminOrderRoutes(routes);
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
