import { jobKey } from '@tianguis/payments/back-office';
import { adminOf, MANAGER } from '../../admin/permissions.js';
import { contextOf } from '../../web/request-context.js';
import type { Feature } from '../feature.js';
import { createOrder, mailPaymentLink, sendNewOrder } from './merchant-order-routes.js';
import { merchantOrdersPaths } from './paths.js';
import { adminPaymentLink, paymentLinkJobs } from './payment-link.js';

/** Orders that the merchant makes, for example by telephone, and sends as a payment link. */
export const merchantOrders: Feature = {
  name: 'merchant-orders',
  place: 30,
  fieldsWithCardCheck: ['form_key', 'order_note'],
  orderJobKeys: (_queries, orderId) => [jobKey('payment_link', orderId)],
  needs: ['pay-link'],
  adminRoutes: () => [
    {
      get: merchantOrdersPaths.newOrder,
      roles: MANAGER,
      handler: sendNewOrder,
      link: { on: 'orders', label: (t) => t('merchantOrders.title') },
    },
    { post: merchantOrdersPaths.newOrder, roles: MANAGER, handler: createOrder },
    { post: merchantOrdersPaths.paymentLink, roles: MANAGER, handler: mailPaymentLink },
  ],
  slots: {
    'admin-order.section': async (res, { order }) => {
      const model = await adminPaymentLink(contextOf(res), order, adminOf(res));
      return model && { view: '/merchant-orders/views/payment-link', model };
    },
  },
  jobs: paymentLinkJobs,
};
