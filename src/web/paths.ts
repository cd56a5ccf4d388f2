/**
 * Paths of the shop. Routes use the patterns of `paths`, such as `/orders/:token`. Links and redirects to one record use the
 * functions. Public pages have one address per locale: see locale-path.ts.
 */
import type { Order } from '../db/orders.js';

export const paths = {
  checkout: '/checkout',
  hostedCheckout: '/checkout/hosted',
  cardCheckout: '/checkout/card',
  paymentReturns: '/checkout/return',
  paymentReturn: '/checkout/return/:token',
  orders: '/orders',
  order: '/orders/:token',
  orderStatus: '/orders/:token/status',
  invoice: '/orders/:token/invoice',
} as const;

export function orderPath({ token }: Pick<Order, 'token'>): string {
  return `/orders/${token}`;
}

export function orderStatusPath({ token }: Pick<Order, 'token'>): string {
  return `/orders/${token}/status`;
}

export function invoicePath({ token }: Pick<Order, 'token'>): string {
  return `/orders/${token}/invoice`;
}
