import { adminPaths } from '../../web/paths.js';
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
  place: 180,
  addRoutes: addSetPasswordRoutes,
  adminLinks: [
    { on: 'navigation', href: adminPaths.users, label: (t) => t('users.title') },
    { on: 'navigation', href: adminPaths.account, label: (t) => t('users.account.title') },
  ],
  addAdminRoutes(app, _sendOrder, web) {
    const confirm = confirmWith(web);
    addUsersRoutes(app, confirm);
    addUserRoutes(app, confirm);
    addAccountRoutes(app, confirm);
    addSecondFactorRoutes(app, confirm);
  },
};
