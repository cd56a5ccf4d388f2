/** The cart of the session, and what its page shows. */
import type { Response } from 'express';
import { discountRow } from '../locales/discount-row.js';
import type { I18n } from '../locales/i18n.js';
import { deliveryTime, optionPrice } from '../locales/shipping-text.js';
import { priceWithCode } from '../shop/price-cart.js';
import { countPieces, MAX_QUANTITY, type PricedCart, priceCart } from '../shop/rules/cart.js';
import { beforeChoice } from '../shop/rules/fees.js';
import { NO_PICTURE } from '../shop/rules/picture.js';
import { freeFromOf, shippingOptions } from '../shop/rules/shipping.js';
import type { ShopSettings } from '../shop/rules/shop-settings.js';
import { findCart } from '../tables/carts.js';
import { clientKeysOf } from './client-address.js';
import { paths, productPath } from './paths.js';
import { contextOf } from './request-context.js';
import type { RefusedCode } from './services.js';
import { sentSession } from './session.js';

/** Returns the cart of the session at current prices. A session without a cart has an empty one. */
export async function readSessionCart(res: Response): Promise<PricedCart> {
  const { checkout } = contextOf(res);
  const { queries } = checkout.db;
  const at = checkout.clock.now();
  const { cartId } = res.req.session;
  const cart = cartId === undefined ? undefined : await findCart(queries, cartId, at);
  return cart ? priceWithCode(queries, checkout, cart, { client: clientKeysOf(res), at }) : priceCart({ lines: [] });
}

/**
 * Returns the address of the cart after a change. A mark asks whether the browser keeps the cookie of a first cart: see
 * {@link keepsNoCookies}.
 */
export function changedCartPath(res: Response): string {
  const isFirst = res.req.session?.cartId !== undefined && !sentSession(res);
  return isFirst ? `${paths.cart}?added=1` : paths.cart;
}

/** Returns whether the customer added a piece, and the browser did not keep the cookie of the cart. */
export function keepsNoCookies(res: Response): boolean {
  return res.req.query['added'] === '1' && !sentSession(res);
}

/** A refused quantity as the customer typed it. */
export interface RefusedQuantity {
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

/** Builds the model of views/cart.ejs. */
export function cartPage(
  i18n: I18n & Pick<ShopSettings, 'shipping'>,
  priced: PricedCart,
  { refused = [], notices = [] }: Partial<CartAnswer> = {},
) {
  const shown = beforeChoice(i18n.shipping, priced);
  const total = i18n.money(shown.total);
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
    goods: i18n.money(shown.goods),
    discount: discountRow(i18n, shown.discount?.code ?? null, shown.lines),
    total,
    ...shippingOf(i18n, priced),
    tax: i18n.tax(shown.lines),
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

/** Returns the price of a delivery, which may depend on the address, and its time. Without one the cart's total is that of the order. */
function shippingOf(i18n: I18n & Pick<ShopSettings, 'shipping'>, { lines, total }: PricedCart) {
  const { t, money, shipping } = i18n;
  const options = shippingOptions(shipping, lines, total).filter(({ kind }) => kind !== 'none');
  const least = options.find(({ kind }) => kind === 'delivery');
  const from = freeFromOf(shipping);
  const price =
    least && (least.price === 0 ? optionPrice(i18n, least) : t('cart.shippingFrom', { price: money(least.price) }));
  return {
    totalLabel: t(options.length > 0 ? 'cart.subtotal' : 'cart.total'),
    note: t(options.length > 0 ? 'cart.noteShipping' : 'cart.note'),
    shipping: price,
    shippingTime: least && deliveryTime(i18n, least),
    shippingFree:
      least && least.price > 0 && from !== undefined ? t('cart.shippingFree', { price: money(from) }) : undefined,
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
