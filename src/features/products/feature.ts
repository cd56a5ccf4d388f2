import { addProductsRoutes } from '../../admin/products-routes.js';
import type { Feature } from '../feature.js';
import { reservedCards } from './reserved-card.js';

/** Products in the back office: list, form, history and reservations. */
export const products: Feature = { addAdminRoutes: addProductsRoutes, healthCards: reservedCards };
