import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { addImportRoutes } from './import-routes.js';
import { productImportPaths } from './paths.js';

/** The import of products from a CSV file in the back office, with a preview, and the export. */
export const productImport: Feature = {
  name: 'product-import',
  place: 163,
  needs: ['products', 'uploads'],
  uploads: /^\/admin\/products-import$/,
  permissions: {
    'GET /admin/products-import': MANAGER,
    'POST /admin/products-import': MANAGER,
    'POST /admin/products-import/apply': MANAGER,
    'GET /admin/products.csv': MANAGER,
  },
  addAdminRoutes: (app, web) => addImportRoutes(app, web),
  adminLinks: [{ on: 'products', href: productImportPaths.importProducts, label: (t) => t('productImport.title') }],
};
