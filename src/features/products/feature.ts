import { EVERY_ROLE, FULFILLMENT, MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { saveProducts, saveStocks, sendProducts } from './list-routes.js';
import { productsPaths } from './paths.js';
import { sendProduct } from './product-page.js';
import { releaseReservations, saveProduct, saveStock } from './product-routes.js';
import { LOW_STOCK_LIMIT } from './repository.js';

/** Products in the back office: list, price, stock and visibility, history and reservations. */
export const products: Feature = {
  name: 'products',
  place: 160,
  adminRoutes: () => [
    {
      get: productsPaths.products,
      roles: EVERY_ROLE,
      handler: sendProducts,
      link: { on: 'navigation', label: (t) => t('products.title') },
    },
    { post: productsPaths.products, roles: MANAGER, handler: saveProducts },
    { post: productsPaths.productsStock, roles: FULFILLMENT, handler: saveStocks },
    { get: productsPaths.product, roles: FULFILLMENT, handler: sendProduct },
    { post: productsPaths.product, roles: MANAGER, handler: saveProduct },
    { post: productsPaths.productStock, roles: FULFILLMENT, handler: saveStock },
    { post: productsPaths.releaseProduct, roles: MANAGER, handler: releaseReservations },
  ],
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
