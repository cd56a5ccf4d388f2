import type { Request, Response } from 'express';
import { type AdminRouter, adminOf } from '../../admin/permissions.js';
import { type Cells, cellsOf } from '../../catalog/product-cells.js';
import {
  findProductEvents,
  findStoredProduct,
  recordProductEvents,
  type StoredProduct,
} from '../../db/product-changes.js';
import { PAGE_SIZE, searchProducts } from '../../db/search-products.js';
import { lockProducts, releaseProduct } from '../../db/stock.js';
import { NO_PICTURE } from '../../shop/rules/picture.js';
import { groupIdOf } from '../../shop/rules/product.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { postedText, readPageNumber, readText } from '../../web/form-body.js';
import { adminOrderPath, adminProductPath, productPath } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { pageLinks } from '../../web/routes/catalog.js';
import { findAnswer, redirectToForm } from '../../web/typed-form.js';
import { changeProduct, confirmationOf } from './change-product.js';
import { endUnderpricedLinks } from './end-links.js';
import { productsPaths } from './paths.js';
import { findFormSuggestions, type ProductForm, productFields, readCells } from './product-form.js';
import { productHistory } from './product-history.js';
import { findRelatedProducts, findReservationsOfProduct } from './repository.js';
import { endedText, underpricedText } from './underpriced-texts.js';

const MAX_SEARCH_LENGTH = 80;
const MAX_EVENTS = 50;
/** Results of the form. The redirect carries the code in its query string, never a text. */
const RESULTS = ['created', 'saved', 'unchanged', 'changed_meanwhile', 'released', 'hidden'] as const;
const MAX_RESERVATIONS = 50;

/** Adds the product list, and the page of a product with its form. Some roles may change the stock only. */
export function addProductsRoutes(app: AdminRouter): void {
  app.get(productsPaths.products, sendProducts);
  app.get(productsPaths.product, async (req, res) => {
    const stored = await storedOf(res);
    const cells = cellsOf(stored.product);
    const refused = await findAnswer<RefusedProduct>(res, adminProductPath(stored.product));
    if (refused) return sendProduct(res, { stored, ...refused, cells: { ...cells, ...refused.cells } });
    await sendProduct(res, { stored, cells, problems: [], result: readText(req.query['result']) });
  });
  app.post(productsPaths.product, (req, res) => saveProduct(req, res, readCells(req, contextOf(res))));
  app.post(productsPaths.productStock, (req, res) => saveProduct(req, res, { stock: postedText(req, 'stock') }));
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
async function storedOf(res: Response): Promise<StoredProduct> {
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

async function saveProduct(req: Request, res: Response, cells: Cells): Promise<void> {
  const { checkout, config } = contextOf(res);
  const { db, clock, log } = checkout;
  const { id } = (await storedOf(res)).product;
  const seenStock = postedText(req, 'seen_stock');
  const version = Number(postedText(req, 'version'));
  const confirmedStock = postedText(req, 'confirmed_stock');
  const change = { id, version, seenStock, confirmedStock, cells, at: clock.now(), by: adminOf(res).name };
  const outcome = await changeProduct(db, change, config.locales[0]);
  if (outcome.kind === 'saved') log.info('product.changed', { products: id });
  if (outcome.kind === 'saved' || outcome.kind === 'unchanged')
    return res.redirect(303, `${adminProductPath({ id })}?result=${outcome.kind}`);
  const stored = await storedOf(res);
  const { stock: currentStock = '', ...current } = cellsOf(stored.product);
  // A stock that was not edited is shown as it is now.
  const stock = postedText(req, 'stock') === seenStock ? currentStock : postedText(req, 'stock');
  const form = { cells: { ...current, ...cells, stock }, version: stored.version, problems: [], result: '' };
  const refuse = (problem: Partial<RefusedProduct>) =>
    redirectToForm(res, adminProductPath({ id }), { ...form, ...problem } satisfies RefusedProduct);
  if (outcome.kind === 'refused') return refuse({ problems: outcome.problems });
  if (outcome.kind === 'changed_meanwhile') return refuse({ result: outcome.kind });
  return refuse({ problems: [{ column: 'stock', text: '' }], stockBefore: stored.product.stock });
}

/** A form that was not saved. A later change of the product is not overwritten by it. */
interface RefusedProduct extends ProductForm {
  readonly version: number;
  readonly result: string;
}

/** The page of a product with its form as typed. */
interface ProductPage extends ProductForm {
  readonly stored: StoredProduct;
  /** Absent: the present one. */
  readonly version?: number;
  readonly result: string;
}

/** Sends the product page, with the problem at each field. */
async function sendProduct(res: Response, { stored, result, ...form }: ProductPage): Promise<void> {
  const context = contextOf(res);
  const { t, text, checkout } = context;
  const { product } = stored;
  const { version = stored.version } = form;
  const { queries } = checkout.db;
  const events = await findProductEvents(queries, product.id, MAX_EVENTS);
  const at = checkout.clock.now();
  const reservations = await findReservationsOfProduct(queries, product.id, { at, limit: MAX_RESERVATIONS });
  const fields = productFields(context, form, await findFormSuggestions(context));
  const group = await findRelatedProducts(queries, { id: groupIdOf(product), variantOf: null });
  const known = RESULTS.find((each) => each === result);
  const shown = known === 'created' && !product.visible ? 'created_hidden' : known;
  const { price, priceBefore, stock } = fields;
  const page = {
    ...fields,
    saleFields: adminOf(res).can(`POST ${productsPaths.product}`) ? [price, priceBefore, stock] : [stock],
    productId: product.id,
    name: text(product.name),
    image: product.image,
    needsPicture: product.image === NO_PICTURE,
    /** Absent if the product is hidden. */
    shopHref: product.visible ? productPath(product) : undefined,
    variants: group
      .filter(({ id }) => id !== product.id)
      .map((each) => ({ name: text(each.name), href: adminProductPath(each), visible: each.visible })),
    /** Absent as long as the product has no variant text of its own. */
    newVariantHref: product.variant && `${productsPaths.newProduct}?variant_of=${groupIdOf(product)}`,
    result: shown ? t(`products.outcomes.${shown}`) : endedText(res),
    isDone: known !== undefined && known !== 'unchanged' && known !== 'changed_meanwhile',
    paths: productsPaths,
    underpriced: await underpricedText(res, product),
    confirmedStock: form.stockBefore === undefined ? undefined : confirmationOf(stock.value),
    version: String(version),
    seenStock: product.stock === null ? '' : String(product.stock),
    events: productHistory(context, events),
    reservations: reservations.map(({ number, quantity, expiresAt }) => ({
      number,
      href: adminOrderPath({ number }),
      text: t('products.reservation', { count: quantity, time: context.shortMoment(expiresAt) }),
    })),
  };
  const hasErrors = page.errors.length > 0;
  const path = adminProductPath(product);
  const status = result === 'changed_meanwhile' ? 409 : undefined;
  await render(res, 'products/product', { title: page.name, hasErrors, page, status, path });
}
