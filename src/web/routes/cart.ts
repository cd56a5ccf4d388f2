import type { IRouter, Request, Response } from 'express';
import { addToCart, type CartChange, setCartQuantity } from '../../checkout/change-cart.js';
import { findCart } from '../../db/carts.js';
import { findProduct } from '../../db/products.js';
import { priceCart, readQuantity } from '../../domain/cart.js';
import type { OfferedProduct } from '../../domain/product.js';
import type { Translate } from '../../locales/translations.js';
import type { WebContext } from '../context.js';
import { fieldsOf, readText } from '../form-body.js';
import { noStore } from '../middleware/security-headers.js';
import { cartPage, productPage, type RefusedQuantity } from '../pages/shop-pages.js';
import { render } from '../render.js';
import { contextOf } from '../request-context.js';
import { keepCart } from '../session.js';

/** An invalid quantity is shown again up to this length. */
const LONGEST_TYPED = 100;

/** Adds `GET /cart`, `POST /cart/items` and `POST /cart/items/:product_id`. */
export function addCartRoutes(app: IRouter, web: WebContext): void {
  app.use('/cart', noStore);
  app.get('/cart', (_req, res) => sendCart(web, res));
  app.post('/cart/items', (req, res) => addItem(web, req, res));
  app.post('/cart/items/:product_id', (req, res) => changeItem(web, req, res));
}

async function addItem(web: WebContext, req: Request, res: Response): Promise<void> {
  const { product_id: id, quantity: posted } = fieldsOf(req);
  const { t } = contextOf(res);
  const product = typeof id === 'string' ? await findProductById(web, id) : undefined;
  if (!product) return sendCart(web, res, { ...UNKNOWN, message: t('fields.quantity.unknownProduct') });
  const typed = asTyped(posted);
  const quantity = readQuantity(posted, 1);
  if (quantity === undefined)
    return sendProduct(web, res, product, { quantity: typed, error: t('fields.quantity.invalid') });
  const change = await addToCart(web.checkout, req.session.cartId, { product, quantity });
  if (change.kind === 'too_few_left')
    return sendProduct(web, res, product, { quantity: typed, error: refusalText(t, change) });
  return answerChange(web, res, change, { productId: product.id, typed });
}

async function changeItem(web: WebContext, req: Request, res: Response): Promise<void> {
  const { quantity: posted } = fieldsOf(req);
  const { t } = contextOf(res);
  const typed = asTyped(posted);
  const product = await findProductById(web, String(req.params['product_id']));
  if (!product)
    return sendCart(web, res, { ...UNKNOWN, typed, message: t('fields.quantity.unknownProduct') });
  const item = { productId: product.id, typed };
  const quantity = readQuantity(posted, 0);
  if (quantity === undefined) return sendCart(web, res, { ...item, message: t('fields.quantity.invalid') });
  const change = await setCartQuantity(web.checkout, req.session.cartId, { product, quantity });
  return answerChange(web, res, change, item);
}

const UNKNOWN = { productId: '', typed: '' } as const;

function asTyped(posted: unknown): string {
  return readText(posted).slice(0, LONGEST_TYPED);
}

function findProductById({ checkout }: WebContext, id: string): Promise<OfferedProduct | undefined> {
  return findProduct(checkout.db.queries, 'id', id, checkout.clock.now());
}

async function answerChange(
  web: WebContext,
  res: Response,
  change: CartChange,
  item: Omit<RefusedQuantity, 'message'>,
): Promise<void> {
  if (change.kind !== 'changed')
    return sendCart(web, res, { ...item, message: refusalText(contextOf(res).t, change) });
  await keepCart(res.req, change.cartId);
  res.redirect(303, '/cart');
}

function refusalText(t: Translate, change: Exclude<CartChange, { kind: 'changed' }>): string {
  if (change.kind === 'refused')
    return t(change.reason === 'too_many_lines' ? 'fields.quantity.tooManyLines' : 'fields.quantity.invalid');
  if (change.left === 0) return t('fields.quantity.soldOut');
  return t('fields.quantity.tooFewLeft', { count: change.left });
}

async function sendCart(web: WebContext, res: Response, refused?: RefusedQuantity): Promise<void> {
  const i18n = contextOf(res);
  const { cartId } = res.req.session;
  const { clock, db } = web.checkout;
  const cart = cartId === undefined ? undefined : await findCart(db.queries, cartId, clock.now());
  const title = i18n.t('titles.cart');
  return render(web, res, 'cart', {
    title: refused ? i18n.t('titles.withErrors', { title }) : title,
    page: cartPage(i18n, priceCart(cart ?? { lines: [] }), refused),
    status: refused ? 422 : 200,
    path: '/cart',
    cartCount: cart?.lines.reduce((pieces, { quantity }) => pieces + quantity, 0) ?? 0,
    scripts: ['/cart.js'],
  });
}

function sendProduct(
  web: WebContext,
  res: Response,
  product: OfferedProduct,
  typed: { readonly quantity: string; readonly error: string },
): Promise<void> {
  const i18n = contextOf(res);
  const page = productPage(i18n, product, typed);
  const title = i18n.t('titles.withErrors', { title: page.name });
  return render(web, res, 'product', { title, page, status: 422, path: `/products/${product.slug}` });
}
