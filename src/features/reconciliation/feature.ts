import type { Feature } from '../feature.js';
import { LOOKUP_LIMIT, reconciliationRoutes } from './reconciliation-routes.js';

/** Payments by day as CSV, and payments that the gateway reported and that no order has. */
export const reconciliation: Feature = {
  name: 'reconciliation',
  needs: ['order-export'],
  place: 135,
  limits: [LOOKUP_LIMIT.name],
  adminRoutes: reconciliationRoutes,
};
