/** The routes of the back office, each with the roles that may use it. */
import type { IRouter, RequestHandler, Response } from 'express';
import type { Role } from '../shop/rules/admin-user.js';
import { ShopError } from '../shop/rules/shop-error.js';
import { type AdminAccess, localsOf } from '../web/request-context.js';
import { methodAndPath, type RoutePath } from '../web/route.js';
import type { AdminLink } from '../web/web-context.js';

export const EVERY_ROLE = ['viewer', 'fulfillment', 'manager'] as const;
export const FULFILLMENT = ['fulfillment', 'manager'] as const;
export const MANAGER = ['manager'] as const;

/** A route of the back office, for users with one of its roles. */
export type AdminRoute = RoutePath<`/admin${string}`> & {
  readonly roles: readonly Role[];
  readonly handler: RequestHandler;
  /** A link to the route, for users with these roles. */
  readonly link?: Pick<AdminLink, 'on' | 'label'>;
  /** Its form has a file. The handler reads the body itself. */
  readonly upload?: boolean;
};

/** The routes that `addGuardedRoutes` added, such as `GET /admin/orders`, in their order. A removed feature has none. */
const added = new Map<string, AdminRoute>();

export function accessOf({ name, role }: Pick<AdminAccess, 'name' | 'role'>): AdminAccess {
  const can = (route: string) => added.get(route)?.roles.includes(role) ?? false;
  return {
    name,
    role,
    can,
    links: (on) =>
      [...added].flatMap(([key, route]) =>
        route.link?.on === on && can(key) ? { href: methodAndPath(route)[1], ...route.link } : [],
      ),
  };
}

/** Returns whether pages show totals, prices, payments and refunds. Packing needs none of them. */
export function mayReadSales({ role }: Pick<AdminAccess, 'role'>): boolean {
  return role !== 'fulfillment';
}

/** Returns the name of a route, such as `GET /admin/orders/:number`. */
export function routeName(route: RoutePath): string {
  const [method, path] = methodAndPath(route);
  return `${method.toUpperCase()} ${path}`;
}

/** Adds routes that check the role of the user before their handlers. Throws if one of them is listed twice. */
export function addGuardedRoutes(app: IRouter, routes: readonly AdminRoute[]): void {
  const names = routes.map(routeName);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new Error(`the route ${twice} is listed twice`);
  for (const route of routes) {
    const [method, path] = methodAndPath(route);
    added.set(routeName(route), route);
    app[method](path, requireRole(route.roles), route.handler);
  }
}

/** Throws `forbidden` unless the user has one of the roles. */
function requireRole(roles: readonly Role[]): RequestHandler {
  return (_req, res, next) => next(roles.includes(adminOf(res).role) ? undefined : new ShopError('forbidden'));
}

/** Returns the signed-in user. Throws outside of the routes that `requireSignIn` protects. */
export function adminOf(res: Response): AdminAccess {
  const { admin } = localsOf(res);
  if (!admin) throw new Error('no admin user is signed in');
  return admin;
}
