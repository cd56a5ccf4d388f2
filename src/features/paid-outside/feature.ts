import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { addPaidOutsideRoutes } from './paid-outside-routes.js';
import { paidOutsideSection } from './paid-outside-section.js';

/** Unpaid orders that were paid in cash, by transfer or otherwise, and their reversal. */
export const paidOutside: Feature = {
  name: 'paid-outside',
  place: 105,
  fieldsWithCardCheck: ['note', 'reversal_reason'],
  permissions: {
    'POST /admin/orders/:number/paid-outside': MANAGER,
    'POST /admin/orders/:number/reversal': MANAGER,
  },
  addAdminRoutes: addPaidOutsideRoutes,
  adminOrderSection: paidOutsideSection,
};
