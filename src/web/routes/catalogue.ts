import type { IRouter, Request } from 'express';
import { allCategories, findProductBySlug, type Wish } from '../../domain/catalogue.js';
import { ShopError } from '../../domain/shop-error.js';
import { cataloguePage, cataloguePath, productPage } from '../pages/shop-pages.js';
import { render } from '../render.js';
import { contextOf } from '../request-context.js';
import type { WebServices } from '../services.js';
import { textOf } from '../text-of.js';

/** Browsers may store the page and must revalidate it each time. */
const CACHE_CONTROL = 'private, no-cache';
const LONGEST_SEARCH = 80;

/** Adds `GET /` with the filters `q` and `category`, and `GET /products/:slug`. */
export function addCatalogueRoutes(app: IRouter, web: WebServices): void {
  app.get('/', (req, res) => {
    const reader = contextOf(res);
    const wish = wishOf(req);
    const page = cataloguePage(reader, wish);
    const title = page.narrowed?.heading ?? reader.t('titles.catalogue');
    res.set('Cache-Control', CACHE_CONTROL);
    return render(web, res, 'catalogue', { title, page, path: cataloguePath(wish) });
  });
  app.get('/products/:slug', (req, res) => {
    const reader = contextOf(res);
    const product = findProductBySlug(req.params.slug);
    if (!product) throw new ShopError('not_found');
    const page = productPage(reader, product, { quantity: '1' });
    res.set('Cache-Control', CACHE_CONTROL);
    return render(web, res, 'product', { title: page.name, page });
  });
}

/** Reads the filters. Invalid values are ignored. */
function wishOf({ query }: Request): Wish {
  const { q, category: name } = query;
  const text = textOf(q)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_SEARCH);
  const category = allCategories().find(({ id }) => id === name)?.id;
  return { text, ...(category && { category }) };
}
