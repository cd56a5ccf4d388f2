import { mayCancel } from '../../payments/index.js';
import { adminOrderPath, adminPaths } from '../../web/paths.js';
import type { Feature } from '../feature.js';
import { cancelForm } from './cancel-form.js';
import { addOrderActionRoutes } from './order-action-routes.js';
import { mayResend } from './resend-receipt.js';

/** The cancellation of an unpaid order by the merchant, and the second receipt of a paid one. */
export const orderActions: Feature = {
  name: 'order-actions',
  place: 110,
  addAdminRoutes: addOrderActionRoutes,
  adminOrderAction(i18n, { order, refused }, { can }) {
    const resend = mayResend(order) && can(`POST ${adminPaths.resendReceipt}`);
    const cancel = mayCancel(order) && can(`POST ${adminPaths.cancelOrder}`) ? cancelForm(i18n, refused) : undefined;
    if (!resend && !cancel) return undefined;
    const model = { href: adminOrderPath(order), version: String(order.version), resend, cancel };
    return { view: '/order-actions/actions', model };
  },
};
