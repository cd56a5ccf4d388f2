import type { Order } from '../../db/orders.js';

export const payLinkPaths = {
  payLink: '/orders/:token/pay',
  payLinkCart: '/orders/:token/pay/cart',
  cancelOwnOrder: '/orders/:token/cancel',
} as const;

export function payLinkPath({ token }: Pick<Order, 'token'>): string {
  return `/orders/${token}/pay`;
}
