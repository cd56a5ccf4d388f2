import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { CODE_LIMITS, createCartCode } from './cart-code.js';
import { discountCodes, updateUse } from './discount-codes.js';
import { addDiscountsRoutes } from './discounts-routes.js';
import { discountsPaths } from './paths.js';

/** Discount codes: a field in the cart, and their list in the back office. */
export const discounts: Feature = {
  name: 'discounts',
  place: 165,
  provides: { discountCodes, createCartCode },
  limits: CODE_LIMITS,
  fieldsWithCardCheck: ['code'],
  permissions: {
    'GET /admin/discounts': ['viewer', 'manager'],
    'POST /admin/discounts': MANAGER,
    'POST /admin/discounts/:code/end': MANAGER,
  },
  adminLinks: [{ on: 'navigation', href: discountsPaths.discounts, label: (t) => t('discounts.title') }],
  addAdminRoutes: (app) => addDiscountsRoutes(app),
  orderChanged: updateUse,
};
