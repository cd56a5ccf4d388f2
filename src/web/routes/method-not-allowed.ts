import type { IRouter } from 'express';
import { PAYMENT_FLOWS } from '../../domain/order.js';
import { ShopError } from '../../domain/shop-error.js';
import type { WebContext } from '../context.js';

/** Routes of the shop and their allowed methods. */
const METHODS: Readonly<Record<string, string>> = {
  '/': 'GET, HEAD',
  '/products/:slug': 'GET, HEAD',
  '/cart': 'GET, HEAD',
  '/cart/items': 'POST',
  '/cart/items/:product_id': 'POST',
  '/checkout': 'GET, HEAD',
  '/checkout/hosted': 'POST',
  '/checkout/card': 'GET, HEAD, POST',
  '/checkout/card/access-token': 'POST',
  '/checkout/return/:token': 'GET, HEAD, POST',
  '/orders/:token': 'GET, HEAD',
  '/orders/:token/status': 'GET, HEAD',
  '/language': 'POST',
  '/webhooks/payments': 'POST',
  '/healthz': 'GET, HEAD',
  '/readyz': 'GET, HEAD',
};

/** Answers 405 with `Allow` for a known path. Must be mounted after all other routes, so that only other methods arrive. */
export function addMethodNotAllowed(app: IRouter, { settings }: WebContext): void {
  const isOffered = (path: string) =>
    PAYMENT_FLOWS.every((way) => settings.paymentFlows.includes(way) || !path.startsWith(`/checkout/${way}`));
  for (const [path, allowed] of Object.entries(METHODS).filter(([path]) => isOffered(path))) {
    app.all(path, (_req, res, next) => {
      res.set('Allow', allowed);
      next(new ShopError('method_not_allowed'));
    });
  }
}
