import { mayReadSales } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { openRefundsCards } from './open-refunds-card.js';
import { refundColumns } from './refund-columns.js';
import { refundJobs } from './refund-jobs.js';
import { findRefundOptions, isRefundable } from './refund-payment.js';
import { addRefundRoutes } from './refund-routes.js';
import { refundsSection } from './refund-section.js';
import { handleRefundEvent } from './resolve-refund.js';
import { expireRefundLeases } from './write-refund-outcome.js';

/** Refunds and chargebacks of confirmed payments. */
export const refunds: Feature = {
  addAdminRoutes: addRefundRoutes,
  async adminOrderSection(context, record, admin) {
    if (!mayReadSales(admin)) return undefined;
    const { db, config } = context.checkout;
    return refundsSection(context, record, await findRefundOptions(db.queries, config, record.order), admin);
  },
  csvColumns: refundColumns,
  workCards: openRefundsCards,
  jobs: refundJobs,
  loops: [{ name: 'refunds', maxBatches: 1, process: expireRefundLeases }],
  handleWebhook: handleRefundEvent,
  isRefundable,
};
