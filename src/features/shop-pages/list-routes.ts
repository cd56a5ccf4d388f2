import type { AdminRouter } from '../../admin/permissions.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { shopSettingsPaths } from '../shop-settings/paths.js';
import { localPages, pageFacts } from './page-state.js';
import { pageFormPath, shopPagesPaths } from './paths.js';

/** Adds the list of all pages in all locales. */
export function addListRoutes(app: AdminRouter): void {
  app.get(shopPagesPaths.list, async (_req, res) => {
    const context = contextOf(res);
    const pages = localPages(context).map((each) => ({ href: pageFormPath(each), ...pageFacts(context, each) }));
    const page = { pages, shopHref: shopSettingsPaths.shop };
    await render(res, 'shop-pages/views/list', { title: context.t('shopPages.title'), page });
  });
}
