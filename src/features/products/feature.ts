import { adminPaths } from '../../web/paths.js';
import type { Feature } from '../feature.js';
import { addNewProductRoutes } from './new-product-routes.js';
import { addProductsRoutes } from './products-routes.js';
import { stockCards } from './stock-cards.js';

/** Products in the back office: list, forms, history and reservations. */
export const products: Feature = {
  name: 'products',
  place: 160,
  addAdminRoutes(app) {
    addProductsRoutes(app);
    addNewProductRoutes(app);
  },
  adminLinks: [{ on: 'navigation', href: adminPaths.products, label: (t) => t('products.title') }],
  workCards: stockCards,
};
