import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { addClosingRoutes } from './closing-routes.js';
import { closingPaths } from './paths.js';

/** The merchant closes the shop until a day, such as for holidays. The rules of a closed shop belong to the checkout. */
export const closing: Feature = {
  name: 'closing',
  place: 208,
  needs: ['shop-settings'],
  permissions: { 'GET /admin/closing': MANAGER, 'POST /admin/closing': MANAGER },
  adminLinks: [{ on: 'shop', href: closingPaths.closing, label: (t) => t('closing.title') }],
  addAdminRoutes: addClosingRoutes,
};
