import type { IRouter, Request, Response } from 'express';
import { findCart } from '../../db/carts.js';
import { findProduct, findSuggestions } from '../../db/products.js';
import { discountRow } from '../../locales/discount-row.js';
import type { I18n } from '../../locales/i18n.js';
import type { Translate } from '../../locales/translations.js';
import { addToCart, type CartChange, removeFromCart, setCartQuantity } from '../../shop/change-cart.js';
import { priceWithCode } from '../../shop/price-cart.js';
import { countPieces, MAX_QUANTITY, type PricedCart, priceCart, readQuantity } from '../../shop/rules/cart.js';
import { NO_PICTURE } from '../../shop/rules/picture.js';
import type { OfferedProduct } from '../../shop/rules/product.js';
import { FREE_FROM, needsAddress, shippingOptions } from '../../shop/rules/shipping.js';
import { readCartForm } from '../cart-form.js';
import { clientKeysOf, clientOf } from '../client-address.js';
import type { WebContext } from '../context.js';
import { fieldsOf, postedText, readText } from '../form-body.js';
import { type KeyedLimit, limitRate } from '../middleware/rate-limit.js';
import { noStore } from '../middleware/security-headers.js';
import { paths, productPath } from '../paths.js';
import { render } from '../render.js';
import { contextOf, followPage } from '../request-context.js';
import type { CartCodeField, RefusedCode } from '../services.js';
import { storeCartId } from '../session.js';
import { findForm, forgetForm, isAnswer, redirectToForm, storedText } from '../typed-form.js';
import { productCards } from '../variants.js';
import type { ProductAnswer } from './catalog.js';

/** As high as those of payment attempts, because many customers of a mobile network share one address. */
const NEW_CART_LIMIT: KeyedLimit = {
  name: 'cart_address',
  max: 120,
  seconds: 600,
  keyOf: (req) => (req.session.cartId === undefined ? clientOf(req) : undefined),
};

/** Adds `GET` and `POST /cart`, and the changes of parts of it, which redirect to the cart for GET. */
export function addCartRoutes(app: IRouter, web: WebContext): void {
  app.use(paths.cart, noStore);
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
  return accept(res, next);
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

async function accept(res: Response, path: string = paths.cart): Promise<void> {
  await forgetForm(res, paths.cart);
  res.redirect(303, path);
}

function refusalText(t: Translate, change: Exclude<CartChange, { kind: 'changed' }>): string {
  if (change.kind === 'refused')
    return t(change.reason === 'too_many_lines' ? 'fields.quantity.tooManyLines' : 'fields.quantity.invalid');
  if (change.left === 0) return t('fields.quantity.soldOut');
  return t('fields.quantity.tooFewLeft', { count: change.left });
}

/** Returns the cart of the session at current prices. A session without a cart has an empty one. */
export async function readSessionCart(res: Response): Promise<PricedCart> {
  const { checkout } = contextOf(res);
  const { queries } = checkout.db;
  const at = checkout.clock.now();
  const { cartId } = res.req.session;
  const cart = cartId === undefined ? undefined : await findCart(queries, cartId, at);
  return cart ? priceWithCode(queries, checkout, cart, { client: clientKeysOf(res), at }) : priceCart({ lines: [] });
}

/** A refused quantity as the customer typed it. */
interface RefusedQuantity {
  readonly productId: string;
  readonly typed: string;
  readonly message: string;
}

/** What the cart shows after a POST: changes that were refused, or why the cart cannot be paid. */
export interface CartAnswer {
  readonly status: number;
  readonly refused?: readonly RefusedQuantity[];
  readonly notices?: readonly string[];
  /** A discount code that cannot be used. */
  readonly code?: RefusedCode | undefined;
}

function refuse(res: Response, refused: readonly RefusedQuantity[], code?: RefusedCode): Promise<void> {
  return redirectToForm(res, paths.cart, { status: code?.status ?? 422, refused, code } satisfies CartAnswer);
}

function refuseAtProduct(res: Response, product: OfferedProduct, quantity: string, error: string): Promise<void> {
  const path = productPath(product);
  return redirectToForm(res, contextOf(res).publicPath(path), { quantity, error } satisfies ProductAnswer, path);
}

async function sendCart(req: Request, res: Response, code: CartCodeField | undefined): Promise<void> {
  const i18n = contextOf(res);
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
      suggestions,
      sections: code ? [code.section(i18n, priced, answer?.code)] : [],
    },
    status: answer?.status ?? 200,
    path: paths.cart,
    cartCount: countPieces(priced),
    scripts: ['/cart.js'],
  });
}

/** Builds the model of views/cart.ejs. */
function cartPage(i18n: I18n, priced: PricedCart, { refused = [], notices = [] }: Partial<CartAnswer> = {}) {
  const total = i18n.money(priced.total);
  const count = countPieces(priced);
  const isShown = ({ productId }: RefusedQuantity) => priced.lines.some(({ product }) => product.id === productId);
  const others = refused.filter((each) => !isShown(each));
  return {
    lines: priced.lines,
    gone: goneLines(i18n, priced),
    refused,
    maxQuantity: MAX_QUANTITY,
    // For screen readers, after the cart was updated without a page load.
    announcement: i18n.t('cart.announcement', { count, total }),
    goods: i18n.money(priced.goods),
    discount: discountRow(i18n, priced.discount?.code ?? null, priced.lines),
    total,
    ...shippingOf(i18n, priced),
    tax: i18n.tax(priced.lines),
    notices: [...priceNotices(i18n, priced), ...notices, ...others.map(({ message }) => message)],
  };
}

/** Returns the lines of which nothing can be bought. The customer can only remove them. */
function goneLines({ t, text }: I18n, { withdrawn, shortages }: PricedCart) {
  const soldOut = shortages.filter(({ left }) => left === 0);
  return [
    ...soldOut.map(({ product }) => ({ product, productId: product.id, state: t('product.soldOut') })),
    ...withdrawn.map((line) => ({ ...line, state: t('cart.notOnSale') })),
  ].map(({ product, productId, state }) => ({
    productId,
    name: product ? text(product.name) : productId,
    // A product that is not on sale has no page.
    href: product?.visible ? productPath(product) : undefined,
    image: product?.image ?? NO_PICTURE,
    state,
  }));
}

/** Returns the least price of a delivery, which may depend on the address. Without one the cart's total is that of the order. */
function shippingOf({ t, money }: I18n, { lines, total }: PricedCart) {
  const options = shippingOptions(lines, total).filter(({ id }) => id !== 'none');
  const [least] = options.filter(({ id }) => needsAddress(id)).toSorted((one, other) => one.price - other.price);
  const price =
    least && (least.price === 0 ? t('shipping.free') : t('cart.shippingFrom', { price: money(least.price) }));
  return {
    totalLabel: t(options.length > 0 ? 'cart.subtotal' : 'cart.total'),
    note: t(options.length > 0 ? 'cart.noteShipping' : 'cart.note'),
    shipping: price,
    shippingFree: least && least.price > 0 ? t('cart.shippingFree', { price: money(FREE_FROM) }) : undefined,
  };
}

/** Returns one sentence for each changed price, withdrawn product and reduced line of the cart, and for a code that ended. */
export function priceNotices({ money, text, t }: I18n, priced: PricedCart): readonly string[] {
  return [
    ...(priced.endedCode === undefined ? [] : [t('notices.codeEnded', { code: priced.endedCode })]),
    ...priced.repriced.map(({ product, from, to }) =>
      t('notices.priceChanged', {
        name: text(product.name),
        from: money(from),
        to: money(to),
      }),
    ),
    ...priced.withdrawn.map(({ product, productId }) =>
      t('notices.removed', { name: product ? text(product.name) : productId }),
    ),
    ...priced.shortages.map(({ product, wanted, left }) => {
      const name = text(product.name);
      return left === 0 ? t('notices.soldOut', { name }) : t('notices.fewLeft', { name, count: left, wanted });
    }),
  ];
}
