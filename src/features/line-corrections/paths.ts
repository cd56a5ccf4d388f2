import type { Order } from '../../db/orders.js';
import { adminOrderPath } from '../../web/paths.js';

export const lineCorrectionsPaths = {
  lines: '/admin/orders/:number/lines',
} as const;

export function linesPath(order: Pick<Order, 'number'>): string {
  return `${adminOrderPath(order)}/lines`;
}
