import type { IRouter, Request, Response } from 'express';
import type { Translate } from '../../locales/translations.js';
import { addToCart, type CartChange, removeFromCart, setCartQuantity } from '../../shop/change-cart.js';
import { countPieces, readQuantity } from '../../shop/rules/cart.js';
import { beforeChoice } from '../../shop/rules/fees.js';
import type { OfferedProduct } from '../../shop/rules/product.js';
import { findProduct, findSuggestions } from '../../tables/products.js';
import { readCartForm } from '../cart-form.js';
import {
  type CartAnswer,
  cartPage,
  changedCartPath,
  keepsNoCookies,
  type RefusedQuantity,
  readSessionCart,
} from '../cart-page.js';
import { clientOf } from '../client-address.js';
import { errorList } from '../form.js';
import { fieldsOf, postedText, readText } from '../form-body.js';
import { redirectToRefused } from '../form-page.js';
import { discardPrefetched } from '../middleware/prefetch.js';
import { limitRate } from '../middleware/rate-limit.js';
import { noStore } from '../middleware/security-headers.js';
import { paths, productPath } from '../paths.js';
import { render } from '../render.js';
import { contextOf, followPage } from '../request-context.js';
import type { KeyedLimit } from '../route.js';
import type { CartCodeField, RefusedCode } from '../services.js';
import { storeCartId } from '../session.js';
import { findForm, forgetForm, isAnswer, redirectToForm, storedText } from '../typed-form.js';
import { productCards } from '../variants.js';
import type { WebContext } from '../web-context.js';

/** As high as those of payment attempts, because many customers of a mobile network share one address. */
const NEW_CART_LIMIT: KeyedLimit = {
  name: 'cart_address',
  max: 120,
  seconds: 600,
  keyOf: (req) => (req.session.cartId === undefined ? clientOf(req) : undefined),
};

/** Adds `GET` and `POST /cart`, and the changes of parts of it, which redirect to the cart for GET. */
export function addCartRoutes(app: IRouter, web: WebContext): void {
  app.use(paths.cart, noStore, discardPrefetched);
  const code = web.createCartCode?.(web);
  app.get(paths.cart, (req, res) => sendCart(req, res, code));
  const limit = limitRate(web, [NEW_CART_LIMIT]);
  app.post(paths.cart, limit, (req, res) => saveCart(req, res, code));
  if (code) app.post(paths.cartDiscount, limit, (req, res) => saveCart(req, res, code));
  app.post(paths.cartItems, limit, addItem);
  app.post(paths.cartItem, limit, changeItem);
  for (const path of [paths.cartItems, paths.cartItem, paths.cartDiscount])
    app.get(path, (_req, res) => res.redirect(303, paths.cart));
}

async function addItem(req: Request, res: Response): Promise<void> {
  followPage(req, res);
  const { t, checkout } = contextOf(res);
  const product = await findProductById(res, postedText(req, 'product_id'));
  if (!product) return refuse(res, [{ productId: '', typed: '', message: t('fields.quantity.unknownProduct') }]);
  const posted = fieldsOf(req)['quantity'];
  const typed = typedQuantity(posted);
  const quantity = readQuantity(posted, 1);
  if (quantity === undefined) return refuseAtProduct(res, product, typed, t('fields.quantity.invalid'));
  const change = await addToCart(checkout, req.session.cartId, { product, quantity });
  if (change.kind === 'too_few_left') return refuseAtProduct(res, product, typed, refusalText(t, change));
  if (change.kind === 'refused')
    return refuse(res, [{ productId: product.id, typed, message: refusalText(t, change) }]);
  await storeCartId(req, change.cartId);
  return accept(res);
}

async function changeItem(req: Request, res: Response): Promise<void> {
  const refused = await setQuantity(res, String(req.params['product_id']), fieldsOf(req)['quantity']);
  return refused ? refuse(res, [refused]) : accept(res);
}

/** Stores the changed lines of the cart's form, and its code. Those that are refused are shown again as typed; the others are stored. */
async function saveCart(req: Request, res: Response, codeField: CartCodeField | undefined): Promise<void> {
  const refused: RefusedQuantity[] = [];
  for (const [productId, typed] of readCartForm(fieldsOf(req))) {
    const refusal = await setQuantity(res, productId, typed);
    if (refusal) refused.push(refusal);
  }
  const posted = fieldsOf(req)['code'];
  const next = postedText(req, 'next') === 'checkout' ? paths.checkout : paths.cart;
  // Without a code the form of the cart changes nothing, and that of the discount removes the code.
  const isGiven = posted !== undefined && (posted !== '' || req.path === paths.cartDiscount);
  // The customer saw that the code was refused, and goes on without it.
  const hasCode = isGiven && !(next === paths.checkout && posted === (await refusedCode(res)));
  const code = hasCode ? await codeField?.apply(res, posted) : undefined;
  if (refused.length > 0 || code) return refuse(res, refused, code);
  return next === paths.cart ? accept(res) : accept(res, next);
}

/** Returns the code that the cart shows as refused. */
async function refusedCode(res: Response): Promise<string | undefined> {
  return (await findForm<CartAnswer>(res, paths.cart))?.code?.typed;
}

/** Sets a line of the session's cart to the posted quantity. Returns why it was refused, or `undefined`. */
async function setQuantity(res: Response, productId: string, posted: unknown): Promise<RefusedQuantity | undefined> {
  const { t, checkout } = contextOf(res);
  const { cartId } = res.req.session;
  const typed = typedQuantity(posted);
  const quantity = readQuantity(posted, 0);
  const product = await findProductById(res, productId);
  if (!product && quantity !== 0) return { productId: '', typed, message: t('fields.quantity.unknownProduct') };
  if (quantity === undefined) return { productId, typed, message: t('fields.quantity.invalid') };
  const change = product
    ? await setCartQuantity(checkout, cartId, { product, quantity })
    : await removeFromCart(checkout, cartId, productId);
  if (change.kind !== 'changed') return { productId, typed, message: refusalText(t, change) };
  await storeCartId(res.req, change.cartId);
  return undefined;
}

function typedQuantity(posted: unknown): string {
  return storedText(readText(posted));
}

function findProductById(res: Response, id: string): Promise<OfferedProduct | undefined> {
  const { db, clock } = contextOf(res).checkout;
  return findProduct(db.queries, 'id', id, clock.now());
}

async function accept(res: Response, path = changedCartPath(res)): Promise<void> {
  await forgetForm(res, paths.cart);
  res.redirect(303, path);
}

function refusalText(t: Translate, change: Exclude<CartChange, { kind: 'changed' }>): string {
  if (change.kind === 'refused')
    return t(change.reason === 'too_many_lines' ? 'fields.quantity.tooManyLines' : 'fields.quantity.invalid');
  if (change.left === 0) return t('fields.quantity.soldOut');
  return t('fields.quantity.tooFewLeft', { count: change.left });
}

function refuse(res: Response, refused: readonly RefusedQuantity[], code?: RefusedCode): Promise<void> {
  return redirectToForm(res, paths.cart, { status: code?.status ?? 422, refused, code } satisfies CartAnswer, {
    isChecked: true,
  });
}

function refuseAtProduct(res: Response, product: OfferedProduct, quantity: string, error: string): Promise<void> {
  const path = productPath(product);
  const refused = { typed: { quantity }, errors: errorList({ quantity: error }), status: 422 } as const;
  return redirectToRefused(res, contextOf(res).publicPath(path), refused, path);
}

async function sendCart(req: Request, res: Response, code: CartCodeField | undefined): Promise<void> {
  const i18n = contextOf(res);
  const isLost = keepsNoCookies(res);
  // A reload must not ask again: the cookie of an old session is gone too.
  if (req.query['added'] !== undefined && !isLost) return res.redirect(303, paths.cart);
  const priced = await readSessionCart(res);
  const answer = isAnswer(req) ? await findForm<CartAnswer>(res, paths.cart) : undefined;
  const { db, clock } = i18n.checkout;
  const suggestions =
    priced.lines.length === 0 ? await productCards(res, await findSuggestions(db.queries, clock.now())) : [];
  return render(res, 'cart', {
    title: i18n.t('titles.cart'),
    hasErrors: answer !== undefined,
    page: {
      ...cartPage(i18n, priced, answer),
      isLost,
      suggestions,
      sections: code ? [code.section(i18n, beforeChoice(i18n.shipping, priced), answer?.code)] : [],
    },
    status: answer?.status ?? 200,
    path: paths.cart,
    cartCount: countPieces(priced),
    scripts: ['/cart.js'],
  });
}
