import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { settingsFilePart } from './file-part.js';
import { addFileRoutes } from './file-routes.js';
import { importCommand } from './import-command.js';

/** The download and the import of all settings as a file. */
export const settingsFile: Feature = {
  name: 'settings-file',
  // Its routes come before `/admin/shop/:group`.
  place: 204,
  needs: ['shop-settings', 'uploads'],
  provides: { settingsFilePart },
  uploads: /^\/admin\/shop\/file$/,
  permissions: { 'GET /admin/shop/file': MANAGER, 'POST /admin/shop/file': MANAGER },
  adminCommands: { 'import-settings': importCommand },
  addAdminRoutes: addFileRoutes,
};
