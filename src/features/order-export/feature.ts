import type { Feature } from '../feature.js';
import { exportOrders } from './export-orders.js';

/** The CSV export of the back office's order list. */
export const orderExport: Feature = {
  name: 'order-export',
  place: 130,
  provides: { exportOrders },
};
