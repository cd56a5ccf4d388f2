import { adminOf, EVERY_ROLE, MANAGER } from '../../admin/permissions.js';
import { contextOf } from '../../web/request-context.js';
import type { Feature } from '../feature.js';
import { changeEmail, changePassword, sendAccount } from './account-routes.js';
import { confirmWith } from './confirm-password.js';
import { forgottenPasswordRoutes } from './forgotten-password-routes.js';
import { SET_PASSWORD, usersPaths } from './paths.js';
import { recoveryCard } from './recovery-card.js';
import { roleCommand } from './role-command.js';
import { setPasswordRoutes } from './set-password-routes.js';
import { changeRole, changeState, resetUser, sendUser } from './user-routes.js';
import { addUser, sendUsers } from './users-routes.js';

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
  routes: (web) => [...setPasswordRoutes(web), ...forgottenPasswordRoutes(web)],
  slots: { 'overview.work': (res) => recoveryCard(contextOf(res), adminOf(res)) },
  adminRoutes(web) {
    const confirm = confirmWith(web);
    return [
      {
        get: usersPaths.users,
        roles: MANAGER,
        handler: sendUsers,
        link: { on: 'navigation', label: (t) => t('users.title') },
      },
      { post: usersPaths.users, roles: MANAGER, handler: (req, res) => addUser(req, res, confirm) },
      { get: usersPaths.user, roles: MANAGER, handler: sendUser },
      { post: usersPaths.userRole, roles: MANAGER, handler: (req, res) => changeRole(req, res, confirm) },
      { post: usersPaths.userState, roles: MANAGER, handler: (req, res) => changeState(req, res, confirm) },
      { post: usersPaths.resetUser, roles: MANAGER, handler: (req, res) => resetUser(req, res, confirm) },
      {
        get: usersPaths.account,
        roles: EVERY_ROLE,
        handler: sendAccount,
        link: { on: 'navigation', label: (t) => t('users.account.title') },
      },
      { post: usersPaths.accountPassword, roles: EVERY_ROLE, handler: (req, res) => changePassword(req, res, confirm) },
      { post: usersPaths.accountEmail, roles: EVERY_ROLE, handler: (req, res) => changeEmail(req, res, confirm) },
    ];
  },
};
