import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { TEXT_NAMES } from './groups.js';
import { addHistoryRoutes } from './history-routes.js';
import { shopSettingsPaths } from './paths.js';
import { addPictureRoutes } from './picture-routes.js';
import { addSettingsRoutes } from './settings-routes.js';

/** What the merchant changes in the back office: names, texts, pictures and notifications. */
export const shopSettings: Feature = {
  name: 'shop-settings',
  place: 205,
  needs: ['pictures', 'uploads'],
  uploads: /^\/admin\/shop\/picture$/,
  fieldsWithCardCheck: TEXT_NAMES,
  permissions: {
    'GET /admin/shop': MANAGER,
    'GET /admin/shop/history': MANAGER,
    'POST /admin/shop/history/:version/undo': MANAGER,
    'POST /admin/shop/picture': MANAGER,
    'GET /admin/shop/:group': MANAGER,
    'POST /admin/shop/:group': MANAGER,
  },
  adminLinks: [{ on: 'navigation', href: shopSettingsPaths.shop, label: (t) => t('shopSettings.title') }],
  addAdminRoutes(app) {
    addHistoryRoutes(app);
    addPictureRoutes(app);
    addSettingsRoutes(app);
  },
};
