import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { deleteOrHide } from './delete-routes.js';
import { buildGroupForm } from './group-form.js';
import { saveNewProduct, sendNewProduct } from './new-product-routes.js';
import { productEditorPaths } from './paths.js';
import { resultText } from './result-text.js';
import { saveGroup } from './save-group.js';

/** New products, the form of all members of a product and its variants, and deletion, in the back office. */
export const productEditor: Feature = {
  name: 'product-editor',
  place: 161,
  needs: ['products'],
  provides: { productEditor: { form: buildGroupForm, save: saveGroup, resultText } },
  adminRoutes: ({ newPictures }) => [
    {
      get: productEditorPaths.newProduct,
      roles: MANAGER,
      handler: sendNewProduct,
      link: { on: 'products', label: (t) => t('productEditor.new') },
    },
    { post: productEditorPaths.newProduct, roles: MANAGER, handler: saveNewProduct, upload: newPictures !== undefined },
    { post: productEditorPaths.deleteProduct, roles: MANAGER, handler: deleteOrHide },
  ],
};
