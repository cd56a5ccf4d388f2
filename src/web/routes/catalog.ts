import type { IRouter, Request } from 'express';
import { findCategories, findProduct, PAGE_SIZE, searchProducts } from '../../db/products.js';
import type { CatalogQuery } from '../../domain/product.js';
import { ShopError } from '../../domain/shop-error.js';
import type { WebContext } from '../context.js';
import { readText } from '../form-body.js';
import { catalogPage, catalogPath, productPage } from '../pages/shop-pages.js';
import { render } from '../render.js';
import { contextOf } from '../request-context.js';

/** Browsers may store the page and must revalidate it each time. */
const CACHE_CONTROL = 'private, no-cache';
const LONGEST_SEARCH = 80;

/** Adds `GET /` with the filters `q` and `category` and the page number `page`, and `GET /products/:slug`. */
export function addCatalogRoutes(app: IRouter, web: WebContext): void {
  const { clock, db } = web.checkout;
  const { queries } = db;
  app.get('/', async (req, res) => {
    const i18n = contextOf(res);
    const categories = await findCategories(queries);
    const category = categories.find(({ id }) => id === req.query['category'])?.id;
    const query = { text: readSearchText(req), category };
    const number = readPageNumber(req);
    const { products, count } = await searchProducts(queries, query, { page: number, at: clock.now() });
    const pages = Math.max(1, Math.ceil(count / PAGE_SIZE));
    if (number > pages) throw new ShopError('not_found');
    const page = catalogPage(i18n, { query, categories, products, count, page: number, pages });
    const title = page.narrowed?.heading ?? i18n.t('brand.title');
    res.set('Cache-Control', CACHE_CONTROL);
    return render(web, res, 'catalog', { title, page, path: catalogPath(query, number) });
  });
  app.get('/products/:slug', async (req, res) => {
    const i18n = contextOf(res);
    const product = await findProduct(queries, 'slug', req.params.slug, clock.now());
    if (!product) throw new ShopError('not_found');
    const page = productPage(i18n, product, { quantity: '1' });
    res.set('Cache-Control', CACHE_CONTROL);
    return render(web, res, 'product', { title: page.name, page });
  });
}

/** Returns the search text. Control characters and more than 80 characters are ignored. */
function readSearchText({ query }: Request): CatalogQuery['text'] {
  return readText(query['q'])
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_SEARCH);
}

/** Returns the page number. Invalid values are ignored. */
function readPageNumber({ query: { page } }: Request): number {
  return typeof page === 'string' && /^[1-9]\d{0,3}$/.test(page) ? Number(page) : 1;
}
