import type { Request, Response } from 'express';
import { changeProduct } from '../catalog/change-product.js';
import { type CellProblem, type Cells, cellsOf } from '../catalog/product-cells.js';
import { findProductEvents, findStoredProduct, type StoredProduct } from '../db/product-changes.js';
import { PAGE_SIZE, searchProducts } from '../db/products.js';
import { ShopError } from '../domain/shop-error.js';
import type { WebContext } from '../web/context.js';
import { readText } from '../web/read-text.js';
import { render } from '../web/render.js';
import { checkoutFor, contextOf } from '../web/request-context.js';
import { adminProductPage, editedColumns } from './admin-product-page.js';
import {
  adminProductPath,
  adminProductsPage,
  PRODUCTS_PATH,
  productsAddress,
} from './admin-products-page.js';
import { type AdminRouter, adminOf } from './guard-routes.js';

const MAX_SEARCH_LENGTH = 80;
const MAX_EVENTS = 50;

/** Adds the product list, and the page of a product with its form. */
export function addProductsRoutes(app: AdminRouter, web: WebContext): void {
  app.get(PRODUCTS_PATH, (req, res) => sendProducts(web, req, res));
  app.get(`${PRODUCTS_PATH}/:id`, async (req, res) => {
    const stored = await storedOf(web, req);
    const cells = cellsOf(stored.product);
    await sendProduct(web, res, { stored, cells, result: readText(req.query['result']) });
  });
  app.post(`${PRODUCTS_PATH}/:id`, (req, res) => saveProduct(web, req, res));
}

async function sendProducts(web: WebContext, { query }: Request, res: Response): Promise<void> {
  const i18n = contextOf(res);
  const text = readText(query['q']).trim().slice(0, MAX_SEARCH_LENGTH);
  const page = /^[1-9]\d{0,3}$/.test(readText(query['page'])) ? Number(query['page']) : 1;
  const { db, clock } = web.checkout;
  const search = { text, withHidden: true };
  const found = await searchProducts(db.queries, search, { page, at: clock.now() });
  const pages = Math.max(1, Math.ceil(found.count / PAGE_SIZE));
  if (page > pages) throw new ShopError('not_found');
  await render(web, res, 'admin-products', {
    title: i18n.t('admin.products.title'),
    page: adminProductsPage(i18n, { ...found, text, page, pages }),
    path: productsAddress(text, page),
  });
}

async function storedOf(web: WebContext, { params }: Request): Promise<StoredProduct> {
  const stored = await findStoredProduct(web.checkout.db.queries, String(params['id']));
  if (!stored) throw new ShopError('not_found');
  return stored;
}

interface ProductAnswer {
  readonly stored: StoredProduct;
  readonly cells: Cells;
  readonly problems?: readonly CellProblem[];
  readonly status?: number;
  readonly result: string;
}

async function sendProduct(web: WebContext, res: Response, answer: ProductAnswer): Promise<void> {
  const i18n = contextOf(res);
  const { stored, cells, problems = [], status = 200, result } = answer;
  const events = await findProductEvents(web.checkout.db.queries, stored.product.id, MAX_EVENTS);
  const page = adminProductPage(i18n, { stored, cells, problems, events, result });
  const title = page.name;
  await render(web, res, 'admin-product', {
    title: problems.length === 0 ? title : i18n.t('titles.withErrors', { title }),
    page,
    status,
    path: adminProductPath(stored.product),
  });
}

async function saveProduct(web: WebContext, req: Request, res: Response): Promise<void> {
  const { db, clock, log } = checkoutFor(web, res);
  const { product } = await storedOf(web, req);
  const body = req.body as Readonly<Record<string, unknown>>;
  const posted = editedColumns().map((column) => [column, readText(body[column])] as const);
  const cells = { ...Object.fromEntries(posted), visible: body['visible'] === 'yes' ? 'yes' : 'no' };
  const seenStock = readText(body['seen_stock']);
  const version = Number(readText(body['version']));
  const change = { id: product.id, version, seenStock, cells, at: clock.now(), by: adminOf(res).name };
  const [locale] = web.settings.locales;
  const outcome = await changeProduct(db, change, locale);
  if (outcome.kind === 'saved' || outcome.kind === 'unchanged') {
    if (outcome.kind === 'saved') log.info('product.changed', { products: product.id });
    res.redirect(303, `${adminProductPath(product)}?result=${outcome.kind}`);
    return;
  }
  const stored = await storedOf(web, req);
  const { stock: currentStock = '', ...current } = cellsOf(stored.product);
  // A stock that was not edited is shown as it is now.
  const edited = posted.some(([column, text]) => column === 'stock' && text === seenStock)
    ? { ...cells, stock: currentStock }
    : cells;
  const refused = outcome.kind === 'refused';
  return sendProduct(web, res, {
    stored,
    cells: { ...current, ...edited },
    problems: refused ? outcome.problems : [],
    status: refused ? 422 : 409,
    result: refused ? '' : outcome.kind,
  });
}
