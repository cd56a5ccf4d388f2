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

/** Adds `GET /cart`, `POST /cart/items` and `POST /cart/items/:product_id`. */
export function addCartRoutes(app: IRouter, web: WebContext): void {
  app.use('/cart', noStore);
  app.get('/cart', (req, res) => sendCart(web, req, res));
  app.post('/cart/items', (req, res) => addItem(web, req, res));
  app.post('/cart/items/:product_id', (req, res) => changeItem(web, req, res));
}

function asTyped(value: unknown): string {
  return readText(value).slice(0, 100);
}

async function addItem(web: WebContext, req: Request, res: Response): Promise<void> {
  const { product_id: id, quantity: typed } = fieldsOf(req);
  const { t } = contextOf(res);
  const product = typeof id === 'string' ? await findProductById(web, id) : undefined;
  if (!product) {
    const message = t('fields.quantity.unknownProduct');
    return sendCart(web, req, res, { productId: '', typed: '', message });
  }
  const quantity = readQuantity(typed, 1);
  const answer = { product, typed: asTyped(typed) };
  if (quantity === undefined)
    return sendProduct(web, res, { ...answer, message: t('fields.quantity.invalid') });
  const change = await addToCart(web.checkout, req.session.cartId, { product, quantity });
  if (change.kind === 'too_few_left')
    return sendProduct(web, res, { ...answer, message: fewLeftText(t, change.left) });
  return answerChange(web, req, res, { change, product, typed: asTyped(typed) });
}

async function changeItem(web: WebContext, req: Request, res: Response): Promise<void> {
  const { quantity: typed } = fieldsOf(req);
  const { t } = contextOf(res);
  const product = await findProductById(web, String(req.params['product_id']));
  const refused = { productId: product?.id ?? '', typed: asTyped(typed) };
  if (!product) {
    return sendCart(web, req, res, { ...refused, message: t('fields.quantity.unknownProduct') });
  }
  const quantity = readQuantity(typed, 0);
  if (quantity === undefined) {
    return sendCart(web, req, res, { ...refused, message: t('fields.quantity.invalid') });
  }
  const change = await setCartQuantity(web.checkout, req.session.cartId, { product, quantity });
  return answerChange(web, req, res, { change, product, typed: asTyped(typed) });
}

interface ChangeAnswer {
  readonly change: CartChange;
  readonly product: OfferedProduct;
  readonly typed: string;
}

async function answerChange(
  web: WebContext,
  req: Request,
  res: Response,
  { change, product, typed }: ChangeAnswer,
): Promise<void> {
  if (change.kind === 'changed') {
    await keepCart(req, change.cartId);
    res.redirect(303, '/cart');
    return;
  }
  const { t } = contextOf(res);
  const message =
    change.kind === 'too_few_left'
      ? fewLeftText(t, change.left)
      : t(change.reason === 'too_many_lines' ? 'fields.quantity.tooManyLines' : 'fields.quantity.invalid');
  return sendCart(web, req, res, { productId: product.id, typed, message });
}

function fewLeftText(t: Translate, left: number): string {
  return left === 0 ? t('fields.quantity.soldOut') : t('fields.quantity.tooFewLeft', { count: left });
}

function findProductById({ checkout }: WebContext, id: string): Promise<OfferedProduct | undefined> {
  return findProduct(checkout.db.queries, 'id', id, checkout.clock.now());
}

async function sendCart(
  web: WebContext,
  req: Request,
  res: Response,
  refused?: RefusedQuantity,
): Promise<void> {
  const i18n = contextOf(res);
  const { cartId } = req.session;
  const { clock, db } = web.checkout;
  const cart = cartId === undefined ? undefined : await findCart(db.queries, cartId, clock.now());
  const page = cartPage(i18n, priceCart(cart ?? { lines: [] }), refused);
  const title = refused
    ? i18n.t('titles.withErrors', { title: i18n.t('titles.cart') })
    : i18n.t('titles.cart');
  return render(web, res, 'cart', {
    title,
    page,
    status: refused ? 422 : 200,
    path: '/cart',
    cartCount: cart?.lines.reduce((pieces, { quantity }) => pieces + quantity, 0) ?? 0,
    scripts: ['/cart.js'],
  });
}

function sendProduct(
  web: WebContext,
  res: Response,
  {
    product,
    typed,
    message,
  }: { readonly product: OfferedProduct; readonly typed: string; readonly message: string },
): Promise<void> {
  const i18n = contextOf(res);
  const page = productPage(i18n, product, { quantity: typed, error: message });
  const title = i18n.t('titles.withErrors', { title: page.name });
  return render(web, res, 'product', { title, page, status: 422, path: `/products/${product.slug}` });
}
