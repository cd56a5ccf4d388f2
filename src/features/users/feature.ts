import type { Feature } from '../feature.js';
import { addUsersRoutes } from './users-routes.js';

/** The list of the back office's users. `npm run admin` changes them. */
export const users: Feature = { addAdminRoutes: addUsersRoutes };
