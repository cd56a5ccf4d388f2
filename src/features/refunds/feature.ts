import { jobKey, queueJob } from '@tianguis/payments/back-office';
import { adminOf, MANAGER, mayReadSales } from '../../admin/permissions.js';
import { findOrder } from '../../tables/orders.js';
import { contextOf } from '../../web/request-context.js';
import type { Feature } from '../feature.js';
import { openRefundsCards } from './open-refunds-card.js';
import { refundsPaths } from './paths.js';
import { refundColumns } from './refund-columns.js';
import { refundJobs } from './refund-jobs.js';
import { checkRefund, executeRefund, resolveRefund, sendRefund } from './refund-routes.js';
import { refundsSection } from './refund-section.js';

/** Refunds and chargebacks of confirmed payments. */
export const refunds: Feature = {
  name: 'refunds',
  place: 100,
  fieldsWithCardCheck: ['reason'],
  adminRoutes: () => [
    { get: refundsPaths.refundForm, roles: MANAGER, handler: sendRefund },
    { post: refundsPaths.refundForm, roles: MANAGER, handler: checkRefund },
    { post: refundsPaths.refunds, roles: MANAGER, handler: executeRefund },
    { post: refundsPaths.refund, roles: MANAGER, handler: resolveRefund },
  ],
  slots: {
    'admin-order.section': async (res, record) => {
      const [context, admin] = [contextOf(res), adminOf(res)];
      if (!mayReadSales(admin)) return undefined;
      const options = await context.checkout.payments.refunds.options(record.order);
      return refundsSection(context, record, options, admin);
    },
    'overview.work': (res) => openRefundsCards(contextOf(res)),
  },
  csvColumns: refundColumns,
  async moneyReturned(queries, { orderId, refundId, isReversal, at }) {
    const order = await findOrder(queries, orderId);
    // The shop cannot state how a reversal returns money.
    const jobs =
      isReversal || order?.email === '' ? (['on_refunded'] as const) : (['refunded', 'on_refunded'] as const);
    for (const job of jobs) await queueJob(queries, { key: `${jobKey(job, orderId)}:${refundId}`, orderId, job, at });
  },
  jobs: refundJobs,
  shopSettings: [
    {
      name: 'refunds.partial',
      kind: 'switch',
      label: (t) => t('refunds.setting'),
      hint: (t) => t('refunds.settingHint'),
      valueOf: ({ partialRefunds }) => partialRefunds,
      toConfig: (partialRefunds) => ({ partialRefunds }),
    },
  ],
  offersRefunds: true,
};
