/** The page of a product: the form of its group, and what concerns this product alone. */
import type { Request, Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import { NO_PICTURE } from '../../shop/rules/picture.js';
import { groupIdOf, type Product } from '../../shop/rules/product.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { findGroup, findProductEvents, findStoredProduct, type StoredProduct } from '../../tables/product-changes.js';
import { readText } from '../../web/form-body.js';
import { adminOrderPath, adminProductPath, productPath } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import type { ProductGroup, ShownGroup } from '../../web/services.js';
import { findAnswer } from '../../web/typed-form.js';
import { productsPaths } from './paths.js';
import { productHistory } from './product-history.js';
import { findReservationsOfProduct } from './repository.js';
import { buildRows, errorsOfRow, type RefusedRows, ROW_COLUMNS } from './rows.js';

const MAX_EVENTS = 50;
const MAX_RESERVATIONS = 50;
/** Variants in one form, so that it is below the limits of src/web/form-body.ts. Those of a larger group have several pages. */
const MAX_VARIANTS = 20;
/** Results of the form. The redirect carries the code in its query string, never a text. */
const RESULTS = ['saved', 'unchanged', 'changed_meanwhile', 'released'] as const;
const DONE: readonly (typeof RESULTS)[number][] = ['saved', 'released'];

/** Returns the product of the path. Throws `admin_not_found`. */
export async function storedOf(res: Response): Promise<StoredProduct> {
  const { queries } = contextOf(res).checkout.db;
  const stored = await findStoredProduct(queries, String(res.req.params['id']));
  if (!stored) throw new ShopError('admin_not_found');
  return stored;
}

/** Sends the product page, with the problem at each field. */
export async function sendProduct(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { t, text, checkout, productEditor, underpricedOrders } = context;
  const stored = await storedOf(res);
  const { product } = stored;
  const path = adminProductPath(product);
  const refused = await findAnswer<RefusedRows>(res, path);
  const group = await findGroup(checkout.db.queries, groupIdOf(product));
  const form = shownIn(group, stored);
  const { shown, isGroup } = form;
  const [main] = shown;
  const asked = refused?.result ?? readText(req.query['result']);
  const result = RESULTS.find((each) => each === asked);
  const ofEditor = productEditor?.resultText(context, asked, product);
  const page = {
    ...(await buildForm(res, form, refused)),
    ...(await findOwnParts(context, product)),
    isGroup,
    isShipped: main.product.requiresShipping,
    name: text(isGroup && product.variant ? product.variant.groupName : product.name),
    groupId: groupIdOf(product),
    image: main.product.image,
    needsPicture: main.product.image === NO_PICTURE,
    variants: group.map((each) => ({
      name: text(each.product.name),
      href: adminProductPath(each.product),
      visible: each.product.visible,
      isCurrent: each.product.id === product.id,
    })),
    shownOf:
      shown.length < group.length ? t('products.shownOf', { shown: shown.length, count: group.length }) : undefined,
    result: result ? t(`products.outcomes.${result}`) : (ofEditor ?? underpricedOrders?.endedText(res)),
    isDone: result ? DONE.includes(result) : ofEditor !== undefined,
    paths: productsPaths,
    underpriced: await underpricedOrders?.section(res, shown, 'product'),
  };
  const hasErrors = page.errors.length > 0;
  const status = result === 'changed_meanwhile' ? 409 : undefined;
  await render(res, 'products/views/product', { title: page.name, hasErrors, page, status, path });
}

/** Builds the form of the rows, or of all members. Some roles edit the stock only. */
async function buildForm(res: Response, shown: ShownGroup, refused: RefusedRows | undefined) {
  const context = contextOf(res);
  const mayEdit = adminOf(res).can(`POST ${productsPaths.product}`);
  if (mayEdit && context.productEditor) return context.productEditor.form(res, shown);
  const rows = buildRows(context, shown, { columns: mayEdit ? ROW_COLUMNS : ['stock'], refused });
  return { rows, errors: rows.flatMap((row) => errorsOfRow(row, shown.isGroup)) };
}

/** Returns the products of the form: the main product, and the variants beside that of the address, which is at `place`. */
function shownIn([main, ...variants]: readonly StoredProduct[], current: StoredProduct): ShownGroup {
  const index = variants.findIndex(({ product }) => product.id === current.product.id);
  const start = Math.floor(Math.max(index, 0) / MAX_VARIANTS) * MAX_VARIANTS;
  const shown: ProductGroup = [main ?? current, ...variants.slice(start, start + MAX_VARIANTS)];
  return { shown, isGroup: variants.length > 0, place: index + 1 - start };
}

/** Returns what the page shows of this product alone. */
async function findOwnParts(context: RequestContext, product: Product) {
  const { t, text, checkout } = context;
  const { queries } = checkout.db;
  const events = await findProductEvents(queries, product.id, MAX_EVENTS);
  const search = { at: checkout.clock.now(), limit: MAX_RESERVATIONS };
  const reservations = await findReservationsOfProduct(queries, product.id, search);
  return {
    productId: product.id,
    productName: text(product.name),
    isVariant: product.variantOf !== null,
    /** Absent if the product is hidden. */
    shopHref: product.visible ? productPath(product) : undefined,
    events: productHistory(context, events),
    reservations: reservations.map(({ number, quantity, expiresAt }) => ({
      number,
      href: adminOrderPath({ number }),
      text: t('products.reservation', { count: quantity, time: context.shortMoment(expiresAt) }),
    })),
  };
}
