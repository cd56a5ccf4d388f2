import { EVERY_ROLE, FULFILLMENT, MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { addListRoutes } from './list-routes.js';
import { productsPaths } from './paths.js';
import { addProductRoutes } from './product-routes.js';
import { LOW_STOCK_LIMIT } from './repository.js';

/** Products in the back office: list, price, stock and visibility, history and reservations. */
export const products: Feature = {
  name: 'products',
  place: 160,
  permissions: {
    'GET /admin/products': EVERY_ROLE,
    'POST /admin/products': MANAGER,
    'POST /admin/products-stock': FULFILLMENT,
    'GET /admin/products/:id': FULFILLMENT,
    'POST /admin/products/:id': MANAGER,
    'POST /admin/products/:id/stock': FULFILLMENT,
    'POST /admin/products/:id/release': MANAGER,
  },
  addAdminRoutes(app) {
    addListRoutes(app);
    addProductRoutes(app);
  },
  adminLinks: [{ on: 'navigation', href: productsPaths.products, label: (t) => t('products.title') }],
  shopSettings: [
    {
      name: 'products.low',
      kind: 'number',
      label: (t) => t('products.settings.low'),
      hint: (t) => t('products.settings.lowHint'),
      limitsOf: () => ({ min: 1, max: LOW_STOCK_LIMIT }),
      valueOf: ({ lowStock }) => lowStock,
      toConfig: (lowStock) => ({ lowStock }),
    },
  ],
};
