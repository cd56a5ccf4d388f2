/** Routes as a list: the path, what limits it and its handler stand together. */
import type { Limit } from '@tianguis/payments/database';
import type { Request, RequestHandler } from 'express';
import type { LimitKey } from '../tables/client-limits.js';

/** Method and path, such as `{ get: '/orders/:token' }`. */
export type RoutePath<Path extends string = string> = { readonly get: Path } | { readonly post: Path };

/** Rate limit of requests with the same key, or of one client. */
export interface KeyedLimit extends Limit {
  /** Its name in the metrics. */
  readonly name: string;
  /** `undefined`: the limit does not apply to the request. */
  readonly keyOf: (req: Request) => LimitKey | undefined;
}

/** A route of the storefront. Its limit counts first, then its middleware runs in order. */
export type Route = RoutePath & {
  readonly limit?: KeyedLimit;
  readonly before?: readonly RequestHandler[];
  readonly handler: RequestHandler;
};

/** Returns method and path of a route. */
export function methodAndPath(route: RoutePath): readonly ['get' | 'post', string] {
  return 'get' in route ? ['get', route.get] : ['post', route.post];
}
