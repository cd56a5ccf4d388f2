import { EVERY_ROLE, MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { addAccountRoutes } from './account-routes.js';
import { confirmWith } from './confirm-password.js';
import { addForgottenPasswordRoutes } from './forgotten-password-routes.js';
import { SET_PASSWORD, usersPaths } from './paths.js';
import { recoveryCard } from './recovery-card.js';
import { roleCommand } from './role-command.js';
import { addSetPasswordRoutes } from './set-password-routes.js';
import { addUserRoutes } from './user-routes.js';
import { addUsersRoutes } from './users-routes.js';

/** The back office's users and roles for managers, and the account of each user. `npm run admin` changes users too. */
export const users: Feature = {
  name: 'users',
  place: 180,
  provides: {
    newPasswordPages: [usersPaths.account, usersPaths.accountPassword],
    forgottenPassword: { path: usersPaths.forgottenPassword, label: (t) => t('users.forgotten.title') },
    roles: EVERY_ROLE,
  },
  linkPaths: [SET_PASSWORD],
  adminCommands: { role: roleCommand },
  addRoutes(app, web) {
    addSetPasswordRoutes(app, web);
    addForgottenPasswordRoutes(app, web);
  },
  adminLinks: [
    { on: 'navigation', href: usersPaths.users, label: (t) => t('users.title') },
    { on: 'navigation', href: usersPaths.account, label: (t) => t('users.account.title') },
  ],
  permissions: {
    'GET /admin/users': MANAGER,
    'POST /admin/users': MANAGER,
    'GET /admin/users/:name': MANAGER,
    'POST /admin/users/:name/role': MANAGER,
    'POST /admin/users/:name/state': MANAGER,
    'POST /admin/users/:name/reset': MANAGER,
    'GET /admin/account': EVERY_ROLE,
    'POST /admin/account/password': EVERY_ROLE,
    'POST /admin/account/email': EVERY_ROLE,
  },
  workCards: recoveryCard,
  addAdminRoutes(app, web) {
    const confirm = confirmWith(web);
    addUsersRoutes(app, confirm);
    addUserRoutes(app, confirm);
    addAccountRoutes(app, confirm);
  },
};
