export const usersPaths = {
  account: '/admin/account',
  accountPassword: '/admin/account/password',
  forgottenPassword: '/forgotten-password',
  setPassword: '/set-password/:token',
  users: '/admin/users',
  user: '/admin/users/:name',
  userRole: '/admin/users/:name/role',
  userState: '/admin/users/:name/state',
  resetUser: '/admin/users/:name/reset',
} as const;

export function setPasswordPath(token: string): string {
  return `/set-password/${token}`;
}

export function adminUserPath({ name }: { readonly name: string }): string {
  return `/admin/users/${name}`;
}
