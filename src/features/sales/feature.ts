import { mayReadSales } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { salesPage, salesWindow } from './sales.js';

/** The sales of the last 30 days on the overview of the back office. */
export const sales: Feature = {
  name: 'sales',
  place: 140,
  async overviewSection(context, admin) {
    if (!mayReadSales(admin)) return undefined;
    return { view: '/sales/views/sales', model: salesPage(context, await salesWindow(context.checkout)) };
  },
};
