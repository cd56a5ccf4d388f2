import type { Order } from '../../tables/orders.js';
import { pathTo } from '../../web/paths.js';

export const invoicesPaths = {
  invoice: '/orders/:token/invoice',
  invoiceLink: '/orders/:token/invoice/link',
  list: '/admin/invoices',
  issue: '/admin/orders/:number/invoice',
  file: '/admin/orders/:number/invoice/:kind',
} as const;

export function invoicePath(order: Pick<Order, 'token'>): string {
  return pathTo(invoicesPaths.invoice, order);
}
