import type { Feature } from '../feature.js';
import { addMerchantOrderRoutes } from './merchant-order-routes.js';
import { adminPaymentLink, paymentLinkJobs } from './payment-link.js';

/** Orders that the merchant makes, for example by telephone, and sends as a payment link. */
export const merchantOrders: Feature = {
  name: 'merchant-orders',
  needs: ['pay-link'],
  addAdminRoutes: addMerchantOrderRoutes,
  adminOrderSection(context, { order }, admin) {
    const model = adminPaymentLink(context, order, admin);
    return Promise.resolve(model && { view: '/merchant-orders/payment-link', model });
  },
  jobs: paymentLinkJobs,
};
