import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { newPictures } from './new-product-picture.js';
import { picturesPaths } from './paths.js';
import { savePicture, sendPictures } from './picture-routes.js';
import { pictureWarnings } from './picture-warnings.js';
import { sendPictureFile } from './serve-picture.js';

/** Uploaded pictures of products. They are stored in the database. */
export const pictures: Feature = {
  name: 'pictures',
  place: 170,
  needs: ['products', 'uploads'],
  provides: { pictureWarnings, newPictures },
  probes: () => [
    { get: picturesPaths.picture, handler: sendPictureFile },
    { get: picturesPaths.sizedPicture, handler: sendPictureFile },
  ],
  adminRoutes: () => [
    { get: picturesPaths.productPictures, roles: MANAGER, handler: sendPictures },
    { post: picturesPaths.productPictures, roles: MANAGER, upload: true, handler: savePicture },
  ],
};
