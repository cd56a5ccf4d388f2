import type { Express } from 'express';
import { ShopError } from '../../domain/shop-error.js';

/** Answers 405 with `Allow` on the path of a route that has another method. Call it after all other routes were added. */
export function addMethodNotAllowed(app: Express): void {
  const methodsByPath = new Map<string, Set<string>>();
  for (const { route } of app.router.stack) {
    if (!route || route.path.startsWith('/admin')) continue;
    const methods = methodsByPath.get(route.path) ?? new Set();
    // A handler without a method serves all methods and decides nothing.
    for (const { method } of route.stack) if (method) methods.add(method.toUpperCase());
    methodsByPath.set(route.path, methods);
  }
  for (const [path, methods] of methodsByPath) {
    const allowed = (methods.has('GET') ? [...methods, 'HEAD'] : [...methods]).sort((a, b) =>
      a.localeCompare(b),
    );
    app.all(path, (req, res, next) => {
      // The route passed the request on: it is not found.
      if (allowed.includes(req.method)) return next();
      res.set('Allow', allowed.join(', '));
      next(new ShopError('method_not_allowed'));
    });
  }
}
