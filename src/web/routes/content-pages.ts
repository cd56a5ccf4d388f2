import type { Request, Response } from 'express';
import { ShopError } from '../../shop/rules/shop-error.js';
import type { PublicRouter } from '../locale-path.js';
import { contentPagePath, paths } from '../paths.js';
import { CACHE_CONTROL } from '../public-page.js';
import { render } from '../render.js';
import { contextOf } from '../request-context.js';

/** Adds `GET /pages/:slug` with the text `content/<locale>/<slug>.md`. */
export function addContentPageRoutes(pages: PublicRouter): void {
  pages.get(paths.contentPage, sendContentPage);
}

async function sendContentPage(req: Request, res: Response): Promise<void> {
  const { locale, contentIn } = contextOf(res);
  const page = contentIn(locale).get(String(req.params['slug']));
  if (!page) throw new ShopError('not_found');
  res.set('Cache-Control', CACHE_CONTROL);
  return render(res, 'content-page', {
    title: page.title,
    page: { ...page, html: page.html() },
    public: { path: contentPagePath(page.slug) },
  });
}
