import { jobKey } from '@tianguis/payments/back-office';
import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { addMerchantOrderRoutes } from './merchant-order-routes.js';
import { merchantOrdersPaths } from './paths.js';
import { adminPaymentLink, paymentLinkJobs } from './payment-link.js';

/** Orders that the merchant makes, for example by telephone, and sends as a payment link. */
export const merchantOrders: Feature = {
  name: 'merchant-orders',
  place: 30,
  fieldsWithCardCheck: ['form_key', 'order_note'],
  orderJobKeys: (_queries, orderId) => [jobKey('payment_link', orderId)],
  needs: ['pay-link'],
  permissions: {
    'GET /admin/orders/new': MANAGER,
    'POST /admin/orders/new': MANAGER,
    'POST /admin/orders/:number/link': MANAGER,
  },
  addAdminRoutes: addMerchantOrderRoutes,
  adminLinks: [{ on: 'orders', href: merchantOrdersPaths.newOrder, label: (t) => t('merchantOrders.title') }],
  async adminOrderSection(context, { order }, admin) {
    const model = await adminPaymentLink(context, order, admin);
    return model && { view: '/merchant-orders/views/payment-link', model };
  },
  jobs: paymentLinkJobs,
};
