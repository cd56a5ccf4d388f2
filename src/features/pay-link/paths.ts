import type { Order } from '../../tables/orders.js';
import { pathTo } from '../../web/paths.js';

export const payLinkPaths = {
  payLink: '/orders/:token/pay',
  payLinkCart: '/orders/:token/pay/cart',
  cancelOwnOrder: '/orders/:token/cancel',
} as const;

export function payLinkPath(order: Pick<Order, 'token'>): string {
  return pathTo(payLinkPaths.payLink, order);
}
