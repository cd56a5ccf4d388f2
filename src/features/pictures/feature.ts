import type { Feature } from '../feature.js';
import { addPictureRoutes } from './picture-routes.js';
import { addPictureFiles } from './serve-picture.js';

/** Uploaded pictures of products. They are stored in the database. */
export const pictures: Feature = {
  name: 'pictures',
  place: 170,
  addProbes: addPictureFiles,
  addAdminRoutes: addPictureRoutes,
};
