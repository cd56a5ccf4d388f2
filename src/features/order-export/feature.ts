import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { exportOrders } from './export-orders.js';

/** The CSV export of the back office's order list. */
export const orderExport: Feature = {
  name: 'order-export',
  place: 130,
  provides: {
    orderExport: {
      path: '/admin/orders.csv',
      // The file holds personal data of many customers.
      roles: MANAGER,
      label: (t) => t('orderExport.link'),
      hint: (t) => t('orderExport.hint'),
      send: exportOrders,
    },
  },
};
