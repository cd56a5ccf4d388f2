import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { addLineCorrectionRoutes } from './line-correction-routes.js';
import { linesPath } from './paths.js';

/** The correction of the lines of an unpaid order: a new order takes its place. */
export const lineCorrections: Feature = {
  name: 'line-corrections',
  place: 46,
  needs: ['merchant-orders'],
  permissions: {
    'GET /admin/orders/:number/lines': MANAGER,
    'POST /admin/orders/:number/lines': MANAGER,
  },
  addAdminRoutes: addLineCorrectionRoutes,
  adminOrderAction(_i18n, { order }, admin) {
    const isOpen = order.state !== 'paid' && order.supersededBy === null;
    if (!isOpen || !admin.can('GET /admin/orders/:number/lines')) return undefined;
    return { view: '/line-corrections/views/link', model: { href: linesPath(order) } };
  },
};
