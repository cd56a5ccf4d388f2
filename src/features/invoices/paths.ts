import type { Order } from '../../db/orders.js';

export const invoicesPaths = {
  invoice: '/orders/:token/invoice',
  invoiceLink: '/orders/:token/invoice/link',
} as const;

export function invoicePath({ token }: Pick<Order, 'token'>): string {
  return `/orders/${token}/invoice`;
}
