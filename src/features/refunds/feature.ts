import { mayReadSales } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { openRefundsCards } from './open-refunds-card.js';
import { refundColumns } from './refund-columns.js';
import { refundJobs } from './refund-jobs.js';
import { addRefundRoutes } from './refund-routes.js';
import { refundsSection } from './refund-section.js';

/** Refunds and chargebacks of confirmed payments. */
export const refunds: Feature = {
  name: 'refunds',
  place: 100,
  addAdminRoutes: addRefundRoutes,
  async adminOrderSection(context, record, admin) {
    if (!mayReadSales(admin)) return undefined;
    const { checkout } = context;
    const options = await checkout.payments.refunds.options(record.order);
    return refundsSection(context, record, options, admin);
  },
  csvColumns: refundColumns,
  workCards: openRefundsCards,
  jobs: refundJobs,
  offersRefunds: true,
};
