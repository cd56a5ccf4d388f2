import type { Response } from 'express';
import { orderIdOf, ownershipMark } from '../checkout/order-ownership.js';
import { type PricedCart, priceCart } from '../core/cart.js';
import type { AttemptKind } from '../core/order.js';
import { findCart } from '../store/carts.js';
import { findOrder } from '../store/orders.js';
import { CONTACT_FIELDS, checkoutPage, type TypedContact } from './pages/checkout-page.js';
import { contextOf } from './request-context.js';
import type { WebServices } from './services.js';
import { ownOrders } from './session.js';

/** Where the browser asks for the token that opens the vault. */
export const ACCESS_TOKEN_PATH = '/checkout/card/access-token';

export interface FormAnswer {
  readonly way: AttemptKind;
  readonly status: number;
  readonly typed: TypedContact;
  readonly cardError?: string;
  readonly notice?: string;
  /** The cart when it has just been read; else the session's is. */
  readonly priced?: PricedCart;
}

/** The form on a first visit, with what this session typed last time. */
export async function sendFreshForm(web: WebServices, res: Response, way: AttemptKind): Promise<void> {
  return sendForm(web, res, {
    way,
    status: 200,
    typed: { values: await lastContact(web, res), problems: {} },
  });
}

/** The checkout form of either way to pay, as it was typed and with what was wrong; an empty cart has none. */
export async function sendForm(web: WebServices, res: Response, answer: FormAnswer): Promise<void> {
  const { t, locale } = contextOf(res);
  const { way, status, typed } = answer;
  const priced = answer.priced ?? (await priceSessionCart(web, res));
  if (priced.lines.length === 0) {
    res.redirect(303, '/cart');
    return;
  }
  const notices = answer.notice === undefined ? [] : [answer.notice];
  const otherWay = web.settings.waysToPay.length > 1;
  const page = { ...checkoutPage({ t, locale }, priced, { typed, notices }), otherWay };
  const name = t(way === 'card' ? 'titles.card' : 'titles.checkout');
  const title = status === 200 ? name : t('titles.withErrors', { title: name });
  if (status === 503) res.set('Retry-After', '5');
  if (way === 'hosted')
    return web.pages.send(res, { view: 'checkout', title, page, status, path: '/checkout' });
  const cardError = answer.cardError === undefined ? {} : { cardError: answer.cardError };
  const vault = { tokenizerUrl: web.settings.tokenizerUrl, accessTokenPath: ACCESS_TOKEN_PATH };
  const cardPage = { ...page, ...vault, ...cardError };
  return web.pages.send(res, {
    view: 'checkout-card',
    title,
    page: cardPage,
    status,
    scripts: ['/card.js'],
    path: '/checkout/card',
  });
}

/** The session's cart at today's prices; no cart is an empty one. */
export async function priceSessionCart(web: WebServices, res: Response): Promise<PricedCart> {
  const { cartId } = res.req.session;
  const cart = cartId === undefined ? undefined : await findCart(web.checkout.db.queries, cartId);
  return priceCart(cart ?? { lines: [] });
}

/** The contact fields as they were typed. */
export function typedTexts(fields: Readonly<Record<string, unknown>>): TypedContact['values'] {
  return Object.fromEntries(
    CONTACT_FIELDS.flatMap((name) => (typeof fields[name] === 'string' ? [[name, fields[name]]] : [])),
  );
}

/** Who tried before in this session need not type again. */
async function lastContact(web: WebServices, res: Response): Promise<TypedContact['values']> {
  const mark = ownOrders(res).at(-1);
  const order = mark === undefined ? undefined : await findOrder(web.checkout.db.queries, orderIdOf(mark));
  if (!order || ownershipMark(order) !== mark) return {};
  return { first_name: order.firstName, last_name: order.lastName, email: order.email };
}
