import type { IRouter, Request } from 'express';
import type { Catalog, CatalogQuery } from '../../domain/product.js';
import { ShopError } from '../../domain/shop-error.js';
import type { WebContext } from '../context.js';
import { catalogPage, catalogPath, productPage } from '../pages/shop-pages.js';
import { readText } from '../read-text.js';
import { render } from '../render.js';
import { contextOf } from '../request-context.js';

/** Browsers may store the page and must revalidate it each time. */
const CACHE_CONTROL = 'private, no-cache';
const LONGEST_SEARCH = 80;

/** Adds `GET /` with the filters `q` and `category`, and `GET /products/:slug`. */
export function addCatalogRoutes(app: IRouter, web: WebContext): void {
  const { catalog } = web.checkout;
  app.get('/', (req, res) => {
    const i18n = contextOf(res);
    const query = readQuery(req, catalog);
    const page = catalogPage(i18n, catalog, query);
    const title = page.narrowed?.heading ?? i18n.t('titles.catalog');
    res.set('Cache-Control', CACHE_CONTROL);
    return render(web, res, 'catalog', { title, page, path: catalogPath(query) });
  });
  app.get('/products/:slug', (req, res) => {
    const i18n = contextOf(res);
    const product = catalog.findProductBySlug(req.params.slug);
    if (!product) throw new ShopError('not_found');
    const page = productPage(i18n, product, { quantity: '1' });
    res.set('Cache-Control', CACHE_CONTROL);
    return render(web, res, 'product', { title: page.name, page });
  });
}

/** Reads the filters. Invalid values are ignored. */
function readQuery({ query }: Request, catalog: Catalog): CatalogQuery {
  const { q, category: name } = query;
  const text = readText(q)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_SEARCH);
  const category = catalog.categories.find(({ id }) => id === name)?.id;
  return { text, ...(category && { category }) };
}
