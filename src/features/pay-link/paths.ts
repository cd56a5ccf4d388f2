import type { Order } from '../../db/orders.js';

export const payLinkPaths = {
  payLink: '/orders/:token/pay',
  payLinkHosted: '/orders/:token/pay/hosted',
  payLinkCard: '/orders/:token/pay/card',
  payLinkAccessToken: '/orders/:token/pay/card/access-token',
  payLinkCart: '/orders/:token/pay/cart',
  cancelOwnOrder: '/orders/:token/cancel',
} as const;

export function payLinkPath({ token }: Pick<Order, 'token'>): string {
  return `/orders/${token}/pay`;
}
