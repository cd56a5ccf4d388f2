/** Which roles may use which route of the back office. A route that is missing here is refused. */
import type { IRouter, RequestHandler, Response } from 'express';
import type { Role } from '../shop/rules/admin-user.js';
import { ShopError } from '../shop/rules/shop-error.js';
import { type AdminAccess, localsOf } from '../web/request-context.js';

const EVERY_ROLE = ['viewer', 'fulfillment', 'manager'] as const;
const FULFILLMENT = ['fulfillment', 'manager'] as const;
const MANAGER = ['manager'] as const;

export const PERMISSIONS = {
  'GET /admin': EVERY_ROLE,
  'POST /admin/sign-out': EVERY_ROLE,
  'GET /admin/orders': EVERY_ROLE,
  'GET /admin/orders/:number': EVERY_ROLE,
  'POST /admin/orders/:number/fulfillment': FULFILLMENT,
  'GET /admin/orders/:number/packing-slip': FULFILLMENT,
  'GET /admin/orders/packing-slips': FULFILLMENT,
  // The file holds personal data of many customers.
  'GET /admin/orders.csv': MANAGER,
  'POST /admin/orders/:number/check': MANAGER,
  'POST /admin/orders/:number/jobs': MANAGER,
  'POST /admin/orders/:number/decision': MANAGER,
  'POST /admin/orders/:number/address': FULFILLMENT,
  'POST /admin/orders/:number/note': FULFILLMENT,
  'POST /admin/orders/:number/receipt': MANAGER,
  'POST /admin/orders/:number/cancel': MANAGER,
  'POST /admin/orders/:number/erase': MANAGER,
  'GET /admin/orders/new': MANAGER,
  'POST /admin/orders/new': MANAGER,
  'POST /admin/orders/:number/link': MANAGER,
  'GET /admin/orders/:number/refund': MANAGER,
  'POST /admin/orders/:number/refund': MANAGER,
  'POST /admin/orders/:number/refunds': MANAGER,
  'POST /admin/orders/:number/refunds/:id': MANAGER,
  'GET /admin/products': EVERY_ROLE,
  'GET /admin/products-new': MANAGER,
  'POST /admin/products-new': MANAGER,
  'GET /admin/products/:id': FULFILLMENT,
  'POST /admin/products/:id': MANAGER,
  'GET /admin/products/:id/pictures': MANAGER,
  'POST /admin/products/:id/pictures': MANAGER,
  'POST /admin/products/:id/stock': FULFILLMENT,
  'POST /admin/products/:id/delete': MANAGER,
  'POST /admin/products/:id/release': MANAGER,
  'POST /admin/products/:id/end-links': MANAGER,
  'GET /admin/users': MANAGER,
  'POST /admin/users': MANAGER,
  'GET /admin/users/:name': MANAGER,
  'POST /admin/users/:name/role': MANAGER,
  'POST /admin/users/:name/state': MANAGER,
  'POST /admin/users/:name/reset': MANAGER,
  'GET /admin/account': EVERY_ROLE,
  'POST /admin/account/password': EVERY_ROLE,
  'GET /admin/account/factor': EVERY_ROLE,
  'POST /admin/account/factor': EVERY_ROLE,
  'POST /admin/account/factor/remove': EVERY_ROLE,
  'POST /admin/account/codes': EVERY_ROLE,
} as const satisfies Readonly<Record<`${'GET' | 'POST'} /admin${string}`, readonly Role[]>>;

export function accessOf({ name, role }: Pick<AdminAccess, 'name' | 'role'>): AdminAccess {
  return { name, role, can: (route) => isAllowed(role, route) };
}

/** The routes that `guardRoutes` added. A removed feature has none. */
const added = new Set<string>();

function isAllowed(role: Role, route: string): boolean {
  if (!added.has(route) || !Object.hasOwn(PERMISSIONS, route)) return false;
  const roles: readonly Role[] = PERMISSIONS[route as keyof typeof PERMISSIONS];
  return roles.includes(role);
}

/** Returns whether pages show totals, prices, payments and refunds. Packing needs none of them. */
export function mayReadSales({ role }: Pick<AdminAccess, 'role'>): boolean {
  return role !== 'fulfillment';
}

/** Returns whether the order page shows the data of the customer's invoice request: RFC, name, tax regime and address. */
export function mayReadTaxData({ role }: Pick<AdminAccess, 'role'>): boolean {
  return role === 'manager';
}

/** Adds routes of the back office. */
export type AdminRouter = Pick<IRouter, 'get' | 'post'>;

/** Returns a router whose routes check the role of the user before their handlers. */
export function guardRoutes(app: IRouter): AdminRouter {
  const guard =
    (method: 'get' | 'post') =>
    (path: string, ...handlers: RequestHandler[]) => {
      added.add(`${method.toUpperCase()} ${path}`);
      return app[method](path, requireRole, ...handlers);
    };
  return { get: guard('get'), post: guard('post') } as AdminRouter;
}

/** Throws `forbidden` unless the role may use the matched route. */
const requireRole: RequestHandler = (req, res, next) => {
  const { path } = req.route as { readonly path: string };
  const method = req.method === 'HEAD' ? 'GET' : req.method;
  next(adminOf(res).can(`${method} ${path}`) ? undefined : new ShopError('forbidden'));
};

/** Returns the signed-in user. Throws outside of the routes that `requireSignIn` protects. */
export function adminOf(res: Response): AdminAccess {
  const { admin } = localsOf(res);
  if (!admin) throw new Error('no admin user is signed in');
  return admin;
}
