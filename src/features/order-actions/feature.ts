import { mayCancel } from '@tianguis/payments/back-office';
import { adminOf, MANAGER } from '../../admin/permissions.js';
import { fieldModels, isRefused } from '../../web/form-page.js';
import { adminOrderPath } from '../../web/paths.js';
import { contextOf } from '../../web/request-context.js';
import type { Feature } from '../feature.js';
import { CANCEL_FIELDS } from './cancel-form.js';
import { cancelUnpaid, queueReceipt } from './order-action-routes.js';
import { orderActionsPaths } from './paths.js';
import { mayResend } from './resend-receipt.js';

/** The cancellation of an unpaid order by the merchant, and the second receipt of a paid one. */
export const orderActions: Feature = {
  name: 'order-actions',
  place: 110,
  forms: [CANCEL_FIELDS],
  adminRoutes: () => [
    { post: orderActionsPaths.resendReceipt, roles: MANAGER, handler: queueReceipt },
    { post: orderActionsPaths.cancelOrder, roles: MANAGER, handler: cancelUnpaid },
  ],
  slots: {
    'admin-order.action': (res, { order, refused, refunded }) => {
      const { t } = contextOf(res);
      const { can } = adminOf(res);
      const resend = mayResend(order) && refunded !== 'reversed' && can(`POST ${orderActionsPaths.resendReceipt}`);
      const cancel = mayCancel(order) &&
        can(`POST ${orderActionsPaths.cancelOrder}`) && {
          fields: fieldModels(t, CANCEL_FIELDS, refused),
          isOpen: isRefused(refused, CANCEL_FIELDS),
        };
      if (!resend && !cancel) return undefined;
      const model = { href: adminOrderPath(order), version: String(order.version), resend, cancel };
      return { view: '/order-actions/views/actions', model };
    },
  },
};
