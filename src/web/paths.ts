/**
 * Paths of the shop. Routes use the patterns of `paths`, such as `/orders/:token`. Links and redirects to one record use
 * `pathTo` or the functions. Public pages have one path per locale: see locale-path.ts.
 */

import type { Product } from '../shop/rules/product.js';
import type { Order } from '../tables/orders.js';

export const paths = {
  home: '/',
  product: '/products/:slug',
  contentPage: '/pages/:slug',
  cart: '/cart',
  cartItems: '/cart/items',
  cartItem: '/cart/items/:product_id',
  cartDiscount: '/cart/discount',
  checkout: '/checkout',
  checkoutQuotes: '/checkout/quotes',
  paymentReturns: '/checkout/return',
  orders: '/orders',
  order: '/orders/:token',
  orderStatus: '/orders/:token/status',
  language: '/language',
  prefetchRules: '/prefetch-rules.json',
  problem: '/problem',
  liveness: '/healthz',
  readiness: '/readyz',
} as const;

/** Paths of the back office. */
export const adminPaths = {
  overview: '/admin',
  signIn: '/admin/sign-in',
  signOut: '/admin/sign-out',
  problem: '/admin/problem',
  orders: '/admin/orders',
  order: '/admin/orders/:number',
  checkPayment: '/admin/orders/:number/check',
  decision: '/admin/orders/:number/decision',
} as const;

/** The names of the parameters of a path. */
type ParametersOf<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParametersOf<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/** Returns the path of a route with these parameters: `/orders/:token` with an order is its own page. */
export function pathTo<Path extends string>(
  route: Path,
  parameters: Readonly<Record<ParametersOf<Path>, string | number>>,
): string {
  return route.replaceAll(/:(\w+)/g, (_text, name: ParametersOf<Path>) => encodeURIComponent(parameters[name]));
}

export function productPath({ slug }: Pick<Product, 'slug'>): string {
  return `/products/${slug}`;
}

export function contentPagePath(slug: string): string {
  return `/pages/${slug}`;
}

export function orderPath({ token }: Pick<Order, 'token'>): string {
  return `/orders/${token}`;
}

export function orderStatusPath({ token }: Pick<Order, 'token'>): string {
  return `/orders/${token}/status`;
}

export function adminOrderPath({ number }: Pick<Order, 'number'>): string {
  return `/admin/orders/${number}`;
}

export function adminProductPath({ id }: Pick<Product, 'id'>): string {
  return `/admin/products/${id}`;
}
