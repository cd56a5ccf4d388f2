import type { Request, Response } from 'express';
import { changeProduct } from '../catalog/change-product.js';
import { type Cells, cellsOf, TEXT_COLUMNS } from '../catalog/product-cells.js';
import { findProductEvents, findStoredProduct, type StoredProduct } from '../db/product-changes.js';
import { PAGE_SIZE, searchProducts } from '../db/products.js';
import { ShopError } from '../domain/shop-error.js';
import type { WebContext } from '../web/context.js';
import { postedText, readText } from '../web/form-body.js';
import { render } from '../web/render.js';
import { checkoutFor, contextOf } from '../web/request-context.js';
import {
  adminProductPage,
  adminProductsPage,
  PRODUCTS_PATH,
  type ProductForm,
  productsAddress,
} from './admin-products-page.js';
import { type AdminRouter, adminOf } from './guard-routes.js';

const MAX_SEARCH_LENGTH = 80;
const MAX_EVENTS = 50;

/** Adds the product list, and the page of a product with its form. Some roles may change the stock only. */
export function addProductsRoutes(app: AdminRouter, web: WebContext): void {
  app.get(PRODUCTS_PATH, (req, res) => sendProducts(web, req, res));
  app.get(`${PRODUCTS_PATH}/:id`, async (req, res) => {
    const stored = await storedOf(web, req);
    const result = readText(req.query['result']);
    await sendProduct(web, res, { stored, cells: cellsOf(stored.product), problems: [], result });
  });
  app.post(`${PRODUCTS_PATH}/:id`, (req, res) => {
    const visible = postedText(req, 'visible') === 'yes' ? 'yes' : 'no';
    return saveProduct(web, req, res, { ...cellsIn(req, ['price', 'stock', ...TEXT_NAMES]), visible });
  });
  app.post(`${PRODUCTS_PATH}/:id/stock`, (req, res) => saveProduct(web, req, res, cellsIn(req, ['stock'])));
}

const TEXT_NAMES = TEXT_COLUMNS.map(({ column }) => column);

function cellsIn(req: Request, columns: readonly string[]): Cells {
  return Object.fromEntries(columns.map((column) => [column, postedText(req, column)]));
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

async function sendProduct(
  web: WebContext,
  res: Response,
  form: Omit<ProductForm, 'events'>,
  status = 200,
): Promise<void> {
  const i18n = contextOf(res);
  const { id } = form.stored.product;
  const events = await findProductEvents(web.checkout.db.queries, id, MAX_EVENTS);
  const page = adminProductPage(i18n, { ...form, events });
  const title = form.problems.length === 0 ? page.name : i18n.t('titles.withErrors', { title: page.name });
  await render(web, res, 'admin-product', { title, page, status, path: `${PRODUCTS_PATH}/${id}` });
}

async function saveProduct(web: WebContext, req: Request, res: Response, cells: Cells): Promise<void> {
  const { db, clock, log } = checkoutFor(web, res);
  const { id } = (await storedOf(web, req)).product;
  const seenStock = postedText(req, 'seen_stock');
  const version = Number(postedText(req, 'version'));
  const change = { id, version, seenStock, cells, at: clock.now(), by: adminOf(res).name };
  const outcome = await changeProduct(db, change, web.settings.locales[0]);
  if (outcome.kind === 'saved') log.info('product.changed', { products: id });
  if (outcome.kind === 'saved' || outcome.kind === 'unchanged')
    return res.redirect(303, `${PRODUCTS_PATH}/${id}?result=${outcome.kind}`);
  const stored = await storedOf(web, req);
  const { stock: currentStock = '', ...current } = cellsOf(stored.product);
  // A stock that was not edited is shown as it is now.
  const stock = postedText(req, 'stock') === seenStock ? currentStock : postedText(req, 'stock');
  const form = { stored, cells: { ...current, ...cells, stock } };
  if (outcome.kind === 'refused')
    return sendProduct(web, res, { ...form, problems: outcome.problems, result: '' }, 422);
  return sendProduct(web, res, { ...form, problems: [], result: outcome.kind }, 409);
}
