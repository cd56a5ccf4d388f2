import type { Request, Response } from 'express';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { shopSettingsPaths } from '../shop-settings/paths.js';
import { localPages, pageFacts } from './page-state.js';
import { pageFormPath } from './paths.js';

/** Sends the list of all pages in all locales. */
export async function sendPages(_req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const pages = localPages(context).map((each) => ({ href: pageFormPath(each), ...pageFacts(context, each) }));
  const page = { pages, shopHref: shopSettingsPaths.shop };
  await render(res, 'shop-pages/views/list', { title: context.t('shopPages.title'), page });
}
