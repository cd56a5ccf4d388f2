import type { Feature } from '../feature.js';
import { addAccountRoutes } from './account-routes.js';
import { confirmWith } from './confirm-password.js';
import { addSecondFactorRoutes } from './second-factor-routes.js';
import { addSetPasswordRoutes } from './set-password-routes.js';
import { addUserRoutes } from './user-routes.js';
import { addUsersRoutes } from './users-routes.js';

/** The back office's users for managers, and the account of each user. `npm run admin` changes users too. */
export const users: Feature = {
  name: 'users',
  addRoutes: addSetPasswordRoutes,
  addAdminRoutes(app, _sendOrder, web) {
    const confirm = confirmWith(web);
    addUsersRoutes(app, confirm);
    addUserRoutes(app, confirm);
    addAccountRoutes(app, confirm);
    addSecondFactorRoutes(app, confirm);
  },
};
