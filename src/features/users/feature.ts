import { addUsersRoutes } from '../../admin/users-routes.js';
import type { Feature } from '../feature.js';

/** The list of the back office's users. `npm run admin` changes them. */
export const users: Feature = { addAdminRoutes: addUsersRoutes };
