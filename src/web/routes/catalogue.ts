import type { IRouter, Request } from 'express';
import { allCategories, findProductBySlug, type Wish } from '../../core/catalogue.js';
import { ShopError } from '../../core/shop-error.js';
import { cataloguePage, cataloguePath, productPage } from '../pages/shop-pages.js';
import { contextOf } from '../request-context.js';
import type { WebServices } from '../services.js';
import { textOf } from '../text-of.js';

const LONGEST_SEARCH = 80;

/** `GET /`, with `q` and `category` to narrow it, and `GET /products/:slug`. */
export function addCatalogueRoutes(app: IRouter, { pages }: WebServices): void {
  app.get('/', (req, res) => {
    const reader = contextOf(res);
    const wish = wishOf(req);
    const page = cataloguePage(reader, wish);
    const title = page.narrowed?.heading ?? reader.t('titles.catalogue');
    return pages.send(res, { view: 'catalogue', title, page, path: cataloguePath(wish) });
  });
  app.get('/products/:slug', (req, res) => {
    const reader = contextOf(res);
    const product = findProductBySlug(req.params.slug);
    if (!product) throw new ShopError('not_found');
    const page = productPage(reader, product, { quantity: '1' });
    return pages.send(res, { view: 'product', title: page.name, page });
  });
}

/** Anybody may type anything into an address: what makes no sense is no wish. */
function wishOf({ query }: Request): Wish {
  const { q, category: name } = query;
  const text = textOf(q)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_SEARCH);
  const category = allCategories().find(({ id }) => id === name)?.id;
  return { text, ...(category && { category }) };
}
