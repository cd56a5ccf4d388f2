import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { addListRoutes } from './list-routes.js';
import { addPageRoutes } from './page-routes.js';
import { pageSettings } from './page-settings.js';
import { pageFormPath, shopPagesPaths } from './paths.js';
import { TEXT_FIELD } from './read-page-text.js';

/** The merchant writes the pages of `content/` in the back office, in Markdown with a preview. */
export const shopPages: Feature = {
  name: 'shop-pages',
  place: 207,
  needs: ['shop-settings'],
  provides: { contentForm: { route: `GET ${shopPagesPaths.form}`, path: pageFormPath } },
  ownSettings: pageSettings,
  fieldsWithCardCheck: [TEXT_FIELD],
  permissions: {
    'GET /admin/pages': MANAGER,
    'GET /admin/pages/:locale/:slug': MANAGER,
    'POST /admin/pages/:locale/:slug': MANAGER,
  },
  adminLinks: [{ on: 'shop', href: shopPagesPaths.list, label: (t) => t('shopPages.title') }],
  addAdminRoutes(app) {
    addListRoutes(app);
    addPageRoutes(app);
  },
};
