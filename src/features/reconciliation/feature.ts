import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { reconciliationPaths } from './paths.js';
import { addReconciliationRoutes, LOOKUP_LIMIT } from './reconciliation-routes.js';

/** Payments by day as CSV, and payments that the gateway reported and that no order has. */
export const reconciliation: Feature = {
  name: 'reconciliation',
  needs: ['order-export'],
  place: 135,
  limits: [LOOKUP_LIMIT.name],
  adminLinks: [{ on: 'orders', href: reconciliationPaths.page, label: (t) => t('reconciliation.title') }],
  permissions: {
    'GET /admin/reconciliation': MANAGER,
    'GET /admin/reconciliation/payments.csv': MANAGER,
    'GET /admin/reconciliation/lookup': MANAGER,
  },
  addAdminRoutes: (app, web) => addReconciliationRoutes(app, web),
};
