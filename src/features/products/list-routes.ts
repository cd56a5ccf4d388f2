import type { Request, Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import { isProductKey } from '../../shop/rules/product.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { findStoredProducts, type StoredProduct } from '../../tables/product-changes.js';
import { PAGE_SIZE } from '../../tables/search-products.js';
import { readText } from '../../web/form-body.js';
import { render, shownLinks } from '../../web/render.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import { pageLinks } from '../../web/routes/catalog.js';
import { fillSlot } from '../../web/slots.js';
import { findAnswer } from '../../web/typed-form.js';
import { buildListRows, LIST_COLUMNS, type ListColumns } from './list-form.js';
import { type ListPage, listChoices, listPath, readPage } from './list-page.js';
import { productsPaths } from './paths.js';
import { readListRows } from './read-rows.js';
import { findListed } from './repository.js';
import { errorsOfRow, type RefusedRows } from './rows.js';
import { saveRows } from './save-rows.js';

/** Results of the list. The redirect carries the code in its query string, never a text. */
const RESULTS = ['saved', 'unchanged', 'changed_meanwhile'] as const;

/** Sends the product list with the form of its prices and stocks. */
export async function sendProducts(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { t, checkout } = context;
  const { queries } = checkout.db;
  const asked = readPage(req);
  const path = listPath(asked);
  const refused = await findAnswer<RefusedRows>(res, path);
  const found = await findListed(queries, { ...asked, lowStock: context.checkout.config.lowStock }, asked.page);
  const pages = Math.max(1, Math.ceil(found.count / PAGE_SIZE));
  const code = refused?.result ?? readText(req.query['result']);
  const result = RESULTS.find((each) => each === code);
  const ofEditor = context.productEditor?.resultText(context, code);
  if (asked.page > pages && !refused) {
    // The last products of a filtered page may have left it with the change.
    if (!result) throw new ShopError('admin_not_found');
    const more = { result, raised: readText(req.query['raised']) };
    return res.redirect(303, listPath({ ...asked, page: 1 }, more));
  }
  // What was typed is shown again, also if its product is not on this page any more.
  const products = await findStoredProducts(queries, refused ? refused.rows.map(({ id }) => id) : found.ids);
  const form = formOf(res, asked);
  const ofFeatures = await fillSlot(res, 'products.row', products);
  const rows = buildListRows(context, products, { columns: form.columns, refused }).map((row) => ({
    ...row,
    lines: ofFeatures.flatMap((lines) => lines.get(row.id) ?? []),
  }));
  const errors = rows.flatMap((row) => errorsOfRow(row, true));
  const page = {
    paths: productsPaths,
    typed: asked.text,
    noneText: noneText(context, asked),
    links: shownLinks(context, adminOf(res), 'products'),
    choices: listChoices(context, asked),
    found: t('catalog.found', { count: found.count }),
    form,
    rows,
    errors,
    result: result ? [resultText(context, result), ...goneTexts(context, refused, products)].join(' ') : ofEditor,
    isDone: result === 'saved' || ofEditor !== undefined,
    underpriced: await context.underpricedOrders?.section(res, await findStoredProducts(queries, readIds(req)), 'list'),
    pages:
      pages > 1 ? pageLinks(context, asked.page, pages, (number) => listPath({ ...asked, page: number })) : undefined,
  };
  const status = result === 'changed_meanwhile' ? 409 : undefined;
  const hasErrors = errors.length > 0;
  await render(res, 'products/views/products', { title: t('products.title'), hasErrors, page, status, path });
}

/** Returns the products that were raised with the last change, from the query string. */
function readIds(req: Request): readonly string[] {
  const ids = readText(req.query['raised']).split(',');
  return ids.filter(isProductKey).slice(0, PAGE_SIZE);
}

/** Without the form of new products, they come from a file. */
function noneText({ t, productEditor }: RequestContext, { text, filter }: ListPage): string {
  if (text !== '' || filter !== undefined) return t('products.none');
  return t(productEditor ? 'products.empty' : 'products.emptyByFile');
}

function resultText({ t }: RequestContext, result: (typeof RESULTS)[number]): string {
  return t(`products.outcomes.${result === 'changed_meanwhile' ? 'list_changed_meanwhile' : result}`);
}

/** Names the products of the form that are deleted. */
function goneTexts({ t }: RequestContext, refused: RefusedRows | undefined, found: readonly StoredProduct[]) {
  const gone = refused?.rows.filter(({ id }) => !found.some(({ product }) => product.id === id)) ?? [];
  return gone.length > 0 ? [t('products.gone', { ids: gone.map(({ id }) => id).join(', ') })] : [];
}

/** Returns what the user may edit, and where the form is posted. */
function formOf(res: Response, asked: ListPage): { readonly columns: ListColumns; readonly action: string } {
  const { can } = adminOf(res);
  const { products, productsStock } = productsPaths;
  if (can(`POST ${products}`)) return { columns: LIST_COLUMNS, action: listPath(asked) };
  const columns: ListColumns = can(`POST ${productsStock}`) ? ['stock'] : [];
  return { columns, action: listPath(asked, {}, productsStock) };
}

/** Stores the prices and stocks of the list. */
export function saveProducts(req: Request, res: Response): Promise<void> {
  return save(req, res, LIST_COLUMNS);
}

/** Stores the stocks of the list, for roles that may change the stock only. */
export function saveStocks(req: Request, res: Response): Promise<void> {
  return save(req, res, ['stock']);
}

async function save(req: Request, res: Response, columns: ListColumns): Promise<void> {
  const asked = readPage(req);
  const rows = readListRows(req, columns);
  const edited = rows.filter(({ cells }) => Object.keys(cells).length > 0);
  const saved = await saveRows(res, listPath(asked), edited, rows);
  if (!saved) return;
  const { changed, raised } = saved;
  const result = changed.length > 0 ? 'saved' : 'unchanged';
  const more = { result, ...(raised.length > 0 && { raised: raised.join(',') }) };
  res.redirect(303, listPath(asked, more));
}
