import { EVERY_ROLE } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { confirmWith } from '../users/confirm-password.js';
import { addCodePage } from './code-routes.js';
import { secondFactorPaths } from './paths.js';
import { addSetUpRoutes } from './set-up-routes.js';
import { totpCommand } from './totp-command.js';
import { sealStoredSecrets } from './totp-secret.js';

/** Two-step verification for users of the back office. Each user turns it on, with an authenticator app and recovery codes. */
export const secondFactor: Feature = {
  name: 'second-factor',
  place: 185,
  needs: ['users'],
  provides: { secondFactor: { codePage: secondFactorPaths.code, addCodePage, sealStoredSecrets } },
  limits: ['admin_code'],
  adminLinks: [{ on: 'account', href: secondFactorPaths.secondFactor, label: (t) => t('secondFactor.title') }],
  permissions: {
    'GET /admin/account/factor': EVERY_ROLE,
    'POST /admin/account/factor': EVERY_ROLE,
    'GET /admin/account/factor/set-up': EVERY_ROLE,
    'POST /admin/account/factor/set-up': EVERY_ROLE,
    'POST /admin/account/factor/remove': EVERY_ROLE,
    'POST /admin/account/factor/codes': EVERY_ROLE,
  },
  addAdminRoutes: (app, web) => addSetUpRoutes(app, confirmWith(web)),
  adminCommands: { totp: totpCommand },
};
