import { MANAGER } from '../../admin/permissions.js';
import { adminOrderPath } from '../../web/paths.js';
import type { Feature } from '../feature.js';
import { addEvidenceRoute } from './evidence-page.js';

/** A page to print with what the shop stored about an order, as evidence against a chargeback. */
export const disputes: Feature = {
  name: 'disputes',
  place: 125,
  permissions: {
    // Personal data and payments on one page.
    'GET /admin/orders/:number/evidence': MANAGER,
  },
  addAdminRoutes: addEvidenceRoute,
  adminOrderAction(_i18n, { order }, admin) {
    if (!admin.can('GET /admin/orders/:number/evidence')) return undefined;
    return { view: '/disputes/views/link', model: { href: `${adminOrderPath(order)}/evidence` } };
  },
};
