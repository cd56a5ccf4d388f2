import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { TEXT_NAMES } from './groups.js';
import { sendHistory, undoSettings } from './history-routes.js';
import { shopSettingsPaths } from './paths.js';
import { uploadPicture } from './picture-routes.js';
import { saveGroup, sendGroup, sendGroups } from './settings-routes.js';

/** What the merchant changes in the back office: names, texts, pictures and notifications. */
export const shopSettings: Feature = {
  name: 'shop-settings',
  place: 205,
  needs: ['pictures', 'uploads'],
  fieldsWithCardCheck: TEXT_NAMES,
  adminRoutes: () => [
    { get: shopSettingsPaths.history, roles: MANAGER, handler: sendHistory },
    { post: shopSettingsPaths.undo, roles: MANAGER, handler: undoSettings },
    { post: shopSettingsPaths.picture, roles: MANAGER, handler: uploadPicture, upload: true },
    {
      get: shopSettingsPaths.shop,
      roles: MANAGER,
      handler: sendGroups,
      link: { on: 'navigation', label: (t) => t('shopSettings.title') },
    },
    // After the routes with a name of their own.
    { get: shopSettingsPaths.group, roles: MANAGER, handler: sendGroup },
    { post: shopSettingsPaths.group, roles: MANAGER, handler: saveGroup },
  ],
};
