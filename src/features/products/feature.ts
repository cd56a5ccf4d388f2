import type { Feature } from '../feature.js';
import { addProductsRoutes } from './products-routes.js';
import { reservedCards } from './reserved-card.js';

/** Products in the back office: list, form, history and reservations. */
export const products: Feature = { addAdminRoutes: addProductsRoutes, healthCards: reservedCards };
