import type { IRouter } from 'express';
import { limitRate } from './middleware/rate-limit.js';
import { methodAndPath, type Route } from './route.js';
import type { WebContext } from './web-context.js';

/** Adds the routes in their order. Routes with one limit share its count. */
export function addRoutes(app: IRouter, web: WebContext, routes: readonly Route[]): void {
  const limits = new Set(routes.flatMap(({ limit }) => limit ?? []));
  const limiting = new Map([...limits].map((limit) => [limit, limitRate(web, [limit])]));
  for (const route of routes) {
    const { limit, before = [], handler } = route;
    const [method, path] = methodAndPath(route);
    app[method](path, ...[limit && limiting.get(limit), ...before].flatMap((each) => each ?? []), handler);
  }
}
