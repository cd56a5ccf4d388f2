import type { Request, Response } from 'express';
import { type AdminRouter, adminOf } from '../../admin/permissions.js';
import { findStoredProduct, recordProductEvents, type StoredProduct } from '../../db/product-changes.js';
import { PAGE_SIZE, searchProducts } from '../../db/search-products.js';
import { lockProducts, releaseProduct } from '../../db/stock.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { readPageNumber, readText } from '../../web/form-body.js';
import { adminProductPath } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { pageLinks } from '../../web/routes/catalog.js';
import { endUnderpricedLinks } from './end-links.js';
import { productsPaths } from './paths.js';

const MAX_SEARCH_LENGTH = 80;
/** Adds the product list, and the buttons that end reservations and payment links of a product. */
export function addProductsRoutes(app: AdminRouter): void {
  app.get(productsPaths.products, sendProducts);
  app.post(productsPaths.releaseProduct, release);
  app.post(productsPaths.endLinks, endLinks);
}

async function sendProducts(req: Request, res: Response): Promise<void> {
  const i18n = contextOf(res);
  const { t, checkout } = i18n;
  const text = readText(req.query['q']).trim().slice(0, MAX_SEARCH_LENGTH);
  const page = readPageNumber(req);
  const search = { text, withHidden: true };
  const { products, count } = await searchProducts(checkout.db.queries, search, {
    page,
    at: checkout.clock.now(),
  });
  const pages = Math.max(1, Math.ceil(count / PAGE_SIZE));
  if (page > pages) throw new ShopError('admin_not_found');
  const model = {
    paths: productsPaths,
    typed: text,
    found: t('catalog.found', { count }),
    products,
    result: readText(req.query['result']) === 'deleted' ? t('products.outcomes.deleted') : undefined,
    isDone: true,
    pages: pages > 1 ? pageLinks(i18n, page, pages, (number) => listPath(text, number)) : undefined,
  };
  const path = listPath(text, page);
  await render(res, 'products/products', { title: t('products.title'), page: model, path });
}

/** Returns the path of a page of the list. */
function listPath(text: string, page: number): string {
  const query = new URLSearchParams({
    ...(text !== '' && { q: text }),
    ...(page > 1 && { page: String(page) }),
  });
  return query.size === 0 ? productsPaths.products : `${productsPaths.products}?${query}`;
}

/** Returns the product of the path. Throws `admin_not_found`. */
export async function storedOf(res: Response): Promise<StoredProduct> {
  const { queries } = contextOf(res).checkout.db;
  const stored = await findStoredProduct(queries, String(res.req.params['id']));
  if (!stored) throw new ShopError('admin_not_found');
  return stored;
}

/** Ends all reservations of a product. Its unpaid orders can still be paid, while pieces are free. */
async function release(_req: Request, res: Response): Promise<void> {
  const { db, clock, log } = contextOf(res).checkout;
  const { id } = (await storedOf(res)).product;
  const [at, by] = [clock.now(), adminOf(res).name];
  const orders = await db.transaction(async (queries) => {
    await lockProducts(queries, [id]);
    const released = await releaseProduct(queries, id, at);
    const detail = { reserved: [String(released.length), '0'] } as const;
    if (released.length > 0) await recordProductEvents(queries, [{ productId: id, at, by, kind: 'changed', detail }]);
    return released;
  });
  log.info('product.released', { products: id, count: orders.length });
  res.redirect(303, `${adminProductPath({ id })}?result=${orders.length > 0 ? 'released' : 'unchanged'}`);
}

/** Ends the payment links of orders with a lower price than the present one. The redirect carries both counts. */
async function endLinks(_req: Request, res: Response): Promise<void> {
  const { checkout } = contextOf(res);
  const { product } = await storedOf(res);
  const { ended, skipped } = await endUnderpricedLinks(checkout, product, adminOf(res).name);
  checkout.log.info('product.links_ended', { products: product.id, count: ended });
  res.redirect(303, `${adminProductPath(product)}?ended=${ended}&skipped=${skipped}`);
}
