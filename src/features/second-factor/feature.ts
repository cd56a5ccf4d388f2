import type { Feature } from '../feature.js';
import { addCodePage } from './code-routes.js';
import { secondFactorPaths } from './paths.js';
import { secondFactorRoutes } from './set-up-routes.js';
import { totpCommand } from './totp-command.js';
import { sealStoredSecrets } from './totp-secret.js';

/** Two-step verification for users of the back office. Each user turns it on, with an authenticator app and recovery codes. */
export const secondFactor: Feature = {
  name: 'second-factor',
  place: 185,
  needs: ['users'],
  provides: { secondFactor: { codePage: secondFactorPaths.code, addCodePage, sealStoredSecrets } },
  limits: ['admin_code'],
  adminRoutes: secondFactorRoutes,
  adminCommands: { totp: totpCommand },
};
