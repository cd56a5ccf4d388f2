import type { IRouter, RequestHandler, Response } from 'express';
import { ShopError } from '../domain/shop-error.js';
import { contextOf } from '../web/request-context.js';
import { type AdminAccess, isAllowed } from './permissions.js';

/** Adds routes of the back office. */
export type AdminRouter = Pick<IRouter, 'get' | 'post'>;

/** Returns a router whose routes check the role of the user before their handlers. */
export function guardRoutes(app: IRouter): AdminRouter {
  return {
    get: (path: string, ...handlers: RequestHandler[]) => app.get(path, requireRole, ...handlers),
    post: (path: string, ...handlers: RequestHandler[]) => app.post(path, requireRole, ...handlers),
  } as AdminRouter;
}

/** Throws `forbidden` unless the role may use the matched route. */
const requireRole: RequestHandler = (req, res, next) => {
  const { path } = req.route as { readonly path: string };
  const method = req.method === 'HEAD' ? 'GET' : req.method;
  next(isAllowed(adminOf(res).role, `${method} ${path}`) ? undefined : new ShopError('forbidden'));
};

/** Returns the signed-in user. Throws outside of the routes that `requireSignIn` protects. */
export function adminOf(res: Response): AdminAccess {
  const { admin } = contextOf(res);
  if (!admin) throw new Error('no admin user is signed in');
  return admin;
}
