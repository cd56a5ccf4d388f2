import { pathTo } from '../../web/paths.js';

/** What stands before the token of a link that sets a password. */
export const SET_PASSWORD = '/set-password';

export const usersPaths = {
  account: '/admin/account',
  accountPassword: '/admin/account/password',
  accountEmail: '/admin/account/email',
  forgottenPassword: '/forgotten-password',
  setPassword: `${SET_PASSWORD}/:token`,
  users: '/admin/users',
  user: '/admin/users/:name',
  userRole: '/admin/users/:name/role',
  userState: '/admin/users/:name/state',
  resetUser: '/admin/users/:name/reset',
} as const;

export function setPasswordPath(token: string): string {
  return pathTo(usersPaths.setPassword, { token });
}

export function adminUserPath(user: { readonly name: string }): string {
  return pathTo(usersPaths.user, user);
}
