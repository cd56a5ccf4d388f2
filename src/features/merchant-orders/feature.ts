import { adminPaths } from '../../web/paths.js';
import type { Feature } from '../feature.js';
import { addMerchantOrderRoutes } from './merchant-order-routes.js';
import { adminPaymentLink, paymentLinkJobs } from './payment-link.js';

/** Orders that the merchant makes, for example by telephone, and sends as a payment link. */
export const merchantOrders: Feature = {
  name: 'merchant-orders',
  place: 30,
  needs: ['pay-link'],
  addAdminRoutes: addMerchantOrderRoutes,
  adminLinks: [{ on: 'orders', href: adminPaths.newOrder, label: (t) => t('merchantOrders.title') }],
  adminOrderSection(context, { order }, admin) {
    const model = adminPaymentLink(context, order, admin);
    return Promise.resolve(model && { view: '/merchant-orders/payment-link', model });
  },
  jobs: paymentLinkJobs,
};
