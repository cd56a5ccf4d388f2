export const secondFactorPaths = {
  code: '/admin/sign-in/code',
  secondFactor: '/admin/account/factor',
  setUp: '/admin/account/factor/set-up',
  remove: '/admin/account/factor/remove',
  recoveryCodes: '/admin/account/factor/codes',
} as const;
