/** Which roles may use which route of the back office. A route without roles is refused. */
import type { IRouter, RequestHandler, Response } from 'express';
import type { Role } from '../shop/rules/admin-user.js';
import { ShopError } from '../shop/rules/shop-error.js';
import { type AdminAccess, localsOf } from '../web/request-context.js';

export const EVERY_ROLE = ['viewer', 'fulfillment', 'manager'] as const;
export const FULFILLMENT = ['fulfillment', 'manager'] as const;
export const MANAGER = ['manager'] as const;

/** The roles that may use each route, such as `POST /admin/orders/:number/note`. */
export type Permissions = Readonly<Record<`${'GET' | 'POST'} /admin${string}`, readonly Role[]>>;

/** The routes of the core. Each feature names the roles of its own. */
const PERMISSIONS: Permissions = {
  'GET /admin': EVERY_ROLE,
  'POST /admin/sign-out': EVERY_ROLE,
  'GET /admin/orders': EVERY_ROLE,
  'GET /admin/orders/:number': EVERY_ROLE,
  'POST /admin/orders/:number/check': MANAGER,
  'POST /admin/orders/:number/decision': MANAGER,
};

export function accessOf({ name, role }: Pick<AdminAccess, 'name' | 'role'>): AdminAccess {
  return { name, role, can: (route) => isAllowed(role, route) };
}

/** The roles of each route that `guardRoutes` added. A removed feature has none. */
const added = new Map<string, readonly Role[]>();

function isAllowed(role: Role, route: string): boolean {
  return added.get(route)?.includes(role) ?? false;
}

/** Returns whether pages show totals, prices, payments and refunds. Packing needs none of them. */
export function mayReadSales({ role }: Pick<AdminAccess, 'role'>): boolean {
  return role !== 'fulfillment';
}

/** Adds routes of the back office. */
export type AdminRouter = Pick<IRouter, 'get' | 'post'>;

/** Returns the roles of all routes, those of the features included. Throws if two name roles of one route. */
export function permissionsOf(features: readonly { readonly permissions?: Permissions }[]): Permissions {
  const all = [PERMISSIONS, ...features.flatMap(({ permissions }) => permissions ?? [])].flatMap(Object.entries);
  const twice = all.find(([route], index) => all.findIndex((other) => other[0] === route) !== index);
  if (twice) throw new Error(`the roles of ${twice[0]} are named twice`);
  return Object.fromEntries(all);
}

/** Returns a router whose routes check the role of the user before their handlers. */
export function guardRoutes(app: IRouter, permissions: Permissions): AdminRouter {
  const rolesOf = new Map<string, readonly Role[]>(Object.entries(permissions));
  const guard =
    (method: 'get' | 'post') =>
    (path: string, ...handlers: RequestHandler[]) => {
      const route = `${method.toUpperCase()} ${path}`;
      added.set(route, rolesOf.get(route) ?? []);
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
