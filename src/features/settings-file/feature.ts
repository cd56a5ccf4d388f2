import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { settingsFilePart } from './file-part.js';
import { importSettings, sendSettings } from './file-routes.js';
import { importCommand } from './import-command.js';
import { settingsFilePath } from './paths.js';

/** The download and the import of all settings as a file. */
export const settingsFile: Feature = {
  name: 'settings-file',
  // Its routes come before `/admin/shop/:group`.
  place: 204,
  needs: ['shop-settings', 'uploads'],
  provides: { settingsFilePart },
  adminCommands: { 'import-settings': importCommand },
  adminRoutes: () => [
    { get: settingsFilePath, roles: MANAGER, handler: sendSettings },
    { post: settingsFilePath, roles: MANAGER, handler: importSettings, upload: true },
  ],
};
