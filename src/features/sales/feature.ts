import { adminOf, mayReadSales } from '../../admin/permissions.js';
import { contextOf } from '../../web/request-context.js';
import type { Feature } from '../feature.js';
import { salesPage, salesWindow } from './sales.js';

/** The sales of the last 30 days on the overview of the back office. */
export const sales: Feature = {
  name: 'sales',
  place: 140,
  slots: {
    'overview.section': async (res) => {
      if (!mayReadSales(adminOf(res))) return undefined;
      const context = contextOf(res);
      return { view: '/sales/views/sales', model: salesPage(context, await salesWindow(context.checkout)) };
    },
  },
};
