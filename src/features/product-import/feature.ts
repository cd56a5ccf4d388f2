import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { applyImport, previewImport, sendExport, sendImport } from './import-routes.js';
import { productImportPaths } from './paths.js';

/** The import of products from a CSV file in the back office, with a preview, and the export. */
export const productImport: Feature = {
  name: 'product-import',
  place: 163,
  needs: ['products', 'uploads'],
  adminRoutes: () => [
    {
      get: productImportPaths.importProducts,
      roles: MANAGER,
      handler: sendImport,
      link: { on: 'products', label: (t) => t('productImport.title') },
    },
    { post: productImportPaths.importProducts, roles: MANAGER, handler: previewImport, upload: true },
    { post: productImportPaths.applyImport, roles: MANAGER, handler: applyImport },
    { get: productImportPaths.exportProducts, roles: MANAGER, handler: sendExport },
  ],
};
