import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { newPictures } from './new-product-picture.js';
import { addPictureRoutes } from './picture-routes.js';
import { pictureWarnings } from './picture-warnings.js';
import { addPictureFiles } from './serve-picture.js';

/** Uploaded pictures of products. They are stored in the database. */
export const pictures: Feature = {
  name: 'pictures',
  place: 170,
  needs: ['products', 'uploads'],
  provides: { pictureWarnings, newPictures },
  uploads: /^\/admin\/(?:products-new|products\/[\w-]{1,100}\/pictures)$/,
  addProbes: addPictureFiles,
  permissions: {
    'GET /admin/products/:id/pictures': MANAGER,
    'POST /admin/products/:id/pictures': MANAGER,
  },
  addAdminRoutes: addPictureRoutes,
};
