import type { Feature } from '../feature.js';
import { addNewProductRoutes } from './new-product-routes.js';
import { addProductsRoutes } from './products-routes.js';
import { reservedCards } from './reserved-card.js';

/** Products in the back office: list, forms, history and reservations. */
export const products: Feature = {
  addAdminRoutes(app) {
    addProductsRoutes(app);
    addNewProductRoutes(app);
  },
  healthCards: reservedCards,
};
