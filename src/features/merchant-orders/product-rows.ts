/** The products of the form: what a search finds, and what was chosen. Each variant has a row of its own. */
import { typedField } from '../../admin/order/order-record.js';
import { MAX_LINES, MAX_QUANTITY, readQuantity } from '../../shop/rules/cart.js';
import { groupIdOf, type OfferedProduct } from '../../shop/rules/product.js';
import { findGroups, findProduct } from '../../tables/products.js';
import { searchCorrected } from '../../tables/search-products.js';
import { correctedText } from '../../web/catalog-filters.js';
import type { ShownForm } from '../../web/form.js';
import { type Fields, readSearchText, readText } from '../../web/form-body.js';
import type { RequestContext } from '../../web/request-context.js';
import { findOffered } from './place-merchant-order.js';

/** The product fields of the form, by number. */
export const ROWS = Array.from({ length: MAX_LINES }, (_row, index) => index + 1);
/** Groups that a search shows. */
const MAX_GROUPS = 12;

/**
 * Returns the fields after a button of a row: `product_add` has the id of a product, `product_remove` the number of a row. A
 * product that was chosen before gets one more piece. `isFull`: no row is free.
 */
export function changeRows(fields: Fields): { readonly fields: Fields; readonly isFull: boolean } {
  const { product_add: add, product_remove: remove, ...rest } = fields;
  const removed = ROWS.find((row) => String(row) === remove);
  if (removed !== undefined) return { fields: { ...rest, [`product_${removed}`]: '' }, isFull: false };
  const id = readText(add);
  if (id === '') return { fields: rest, isFull: false };
  const chosen = ROWS.find((row) => rest[`product_${row}`] === id);
  const row = chosen ?? ROWS.find((each) => !rest[`product_${each}`]);
  if (row === undefined) return { fields: rest, isFull: true };
  const quantity = chosen === undefined ? 0 : (readQuantity(readText(rest[`quantity_${row}`]), 0) ?? 0);
  const changed = { [`product_${row}`]: id, [`quantity_${row}`]: String(Math.min(quantity + 1, MAX_QUANTITY)) };
  return { fields: { ...rest, ...changed, product_search: '' }, isFull: false };
}

/** Builds the rows of the products that were chosen. A product that is not on sale has its id as name. */
export async function chosenRows(context: RequestContext, form: ShownForm, cartId: string | undefined) {
  const { db, clock } = context.checkout;
  const ids = ROWS.map((row) => ({ row, id: form.typed[`product_${row}`] ?? '' })).filter(({ id }) => id !== '');
  return Promise.all(
    ids.map(async ({ row, id }) => {
      const product = await findOffered(db.queries, id, { cartId, at: clock.now() });
      return {
        ...(product ? productRow(context, product) : { id, name: id }),
        row,
        error: typedField(form, `product_${row}`).error,
        quantity: typedField(form, `quantity_${row}`, '1'),
      };
    }),
  );
}

/** Returns what the search of the form found, without a text the first products. `undefined`: no search. An id finds its product. */
export async function foundRows(context: RequestContext, { typed }: ShownForm) {
  const { t, checkout } = context;
  if (!typed['product_search'] && typed['step'] !== 'search') return undefined;
  const { queries } = checkout.db;
  const at = checkout.clock.now();
  const text = readSearchText(typed['product_search']);
  const named = await findProduct(queries, 'id', text, at);
  const { products, count, leftOut } = named
    ? { products: [named], count: 1, leftOut: [] }
    : await searchCorrected(queries, { text }, { page: 1, at, locale: context.locale }).then(
        ({ products: all, ...found }) => ({
          ...found,
          products: all.slice(0, MAX_GROUPS),
        }),
      );
  const groups = await findGroups(queries, products, at);
  const rows = products.flatMap((product) => (named ? [product] : (groups.get(groupIdOf(product)) ?? [product])));
  const found = leftOut.length > 0 ? `${correctedText(context, text, leftOut)} ` : '';
  const summary = count === 0 ? t('merchantOrders.noneFound', { text }) : `${found}${t('catalog.found', { count })}`;
  return {
    rows: rows.map((product) => productRow(context, product)),
    summary: count > MAX_GROUPS ? `${summary} ${t('merchantOrders.moreFound', { count: MAX_GROUPS })}` : summary,
  };
}

function productRow({ t, text, money }: RequestContext, { id, name, image, price, left }: OfferedProduct) {
  const stock =
    left === 0
      ? t('catalog.soldOut')
      : left === null
        ? t('merchantOrders.unlimited')
        : t('merchantOrders.left', { count: left });
  return { id, name: text(name), image, price: money(price), stock, isSoldOut: left === 0 };
}
