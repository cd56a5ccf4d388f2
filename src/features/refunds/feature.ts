import { mayReadSales } from '../../admin/permissions.js';
import { findRefundOptions } from '../../payments/index.js';
import type { Feature } from '../feature.js';
import { openRefundsCards } from './open-refunds-card.js';
import { refundColumns } from './refund-columns.js';
import { refundJobs } from './refund-jobs.js';
import { addRefundRoutes } from './refund-routes.js';
import { refundsSection } from './refund-section.js';

/** Refunds and chargebacks of confirmed payments. */
export const refunds: Feature = {
  addAdminRoutes: addRefundRoutes,
  async adminOrderSection(context, record, admin) {
    if (!mayReadSales(admin)) return undefined;
    const { checkout } = context;
    const options = await findRefundOptions(checkout.db.queries, checkout, record.order);
    return refundsSection(context, record, options, admin);
  },
  csvColumns: refundColumns,
  workCards: openRefundsCards,
  jobs: refundJobs,
  offersRefunds: true,
};
