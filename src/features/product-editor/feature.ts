import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { addDeleteRoutes } from './delete-routes.js';
import { buildGroupForm } from './group-form.js';
import { addNewProductRoutes } from './new-product-routes.js';
import { productEditorPaths } from './paths.js';
import { resultText } from './result-text.js';
import { saveGroup } from './save-group.js';

/** New products, the form of all members of a product and its variants, and deletion, in the back office. */
export const productEditor: Feature = {
  name: 'product-editor',
  place: 161,
  needs: ['products'],
  provides: { productEditor: { form: buildGroupForm, save: saveGroup, resultText } },
  permissions: {
    'GET /admin/products-new': MANAGER,
    'POST /admin/products-new': MANAGER,
    'POST /admin/products/:id/delete': MANAGER,
  },
  addAdminRoutes(app) {
    addNewProductRoutes(app);
    addDeleteRoutes(app);
  },
  adminLinks: [{ on: 'products', href: productEditorPaths.newProduct, label: (t) => t('productEditor.new') }],
};
