import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { sendPages } from './list-routes.js';
import { savePage, sendPage } from './page-routes.js';
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
  adminRoutes: () => [
    {
      get: shopPagesPaths.list,
      roles: MANAGER,
      handler: sendPages,
      link: { on: 'shop', label: (t) => t('shopPages.title') },
    },
    { get: shopPagesPaths.form, roles: MANAGER, handler: sendPage },
    { post: shopPagesPaths.form, roles: MANAGER, handler: savePage },
  ],
};
