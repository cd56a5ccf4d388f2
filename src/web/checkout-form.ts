import type { Response } from 'express';
import { orderIdOf, ownershipMark } from '../checkout/order-ownership.js';
import { type PricedCart, priceCart } from '../core/cart.js';
import { findCart } from '../store/carts.js';
import { findOrder } from '../store/orders.js';
import type { Translate } from '../words/translations.js';
import { CONTACT_FIELDS, checkoutPage, type TypedContact } from './pages/checkout-page.js';
import { contextOf } from './request-context.js';
import type { WebServices } from './services.js';
import { ownOrders } from './session.js';
import type { CheckoutPage } from './view-models.js';

/** The form of one way to pay. */
export interface CheckoutForm {
  title(t: Translate): string;
  send(web: WebServices, res: Response, filled: FilledForm): Promise<void>;
}

export interface FilledForm {
  readonly page: CheckoutPage;
  readonly title: string;
  readonly status: number;
  /** What is wrong with the fields that only this way has. */
  readonly problem?: string;
}

export interface FormAnswer {
  readonly form: CheckoutForm;
  readonly status: number;
  readonly typed: TypedContact;
  readonly problem?: string;
  readonly notice?: string;
  /** The cart when it has just been read; else the session's is. */
  readonly priced?: PricedCart;
}

/** The form on a first visit, with what this session typed last time. */
export async function sendFreshForm(web: WebServices, res: Response, form: CheckoutForm): Promise<void> {
  return sendForm(web, res, {
    form,
    status: 200,
    typed: { values: await lastContact(web, res), problems: {} },
  });
}

/** The checkout form of a way to pay, as it was typed and with what was wrong; an empty cart has none. */
export async function sendForm(web: WebServices, res: Response, answer: FormAnswer): Promise<void> {
  const { t, locale } = contextOf(res);
  const { form, status, typed, problem } = answer;
  const priced = answer.priced ?? (await priceSessionCart(web, res));
  if (priced.lines.length === 0) {
    res.redirect(303, '/cart');
    return;
  }
  const notices = answer.notice === undefined ? [] : [answer.notice];
  const otherWay = web.settings.waysToPay.length > 1;
  const page = { ...checkoutPage({ t, locale }, priced, { typed, notices }), otherWay };
  const name = form.title(t);
  const title = status === 200 ? name : t('titles.withErrors', { title: name });
  if (status === 503) res.set('Retry-After', '5');
  return form.send(web, res, { page, title, status, ...(problem !== undefined && { problem }) });
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
