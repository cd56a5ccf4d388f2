import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { CODE_LIMITS, createCartCode } from './cart-code.js';
import { discountCodes, updateUse } from './code-uses.js';
import { DISCOUNT_FIELDS } from './discount-form.js';
import { createDiscount, endDiscount, sendDiscounts } from './discounts-routes.js';
import { discountsPaths } from './paths.js';

/** Discount codes: a field in the cart, and their list in the back office. */
export const discounts: Feature = {
  name: 'discounts',
  place: 165,
  provides: { discountCodes, createCartCode },
  limits: CODE_LIMITS,
  forms: [DISCOUNT_FIELDS],
  adminRoutes: () => [
    {
      get: discountsPaths.discounts,
      roles: ['viewer', 'manager'],
      handler: sendDiscounts,
      link: { on: 'navigation', label: (t) => t('discounts.title') },
    },
    { post: discountsPaths.discounts, roles: MANAGER, handler: createDiscount },
    { post: discountsPaths.endDiscount, roles: MANAGER, handler: endDiscount },
  ],
  orderChanged: updateUse,
};
