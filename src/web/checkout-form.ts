import type { Request, Response } from 'express';
import { orderIdOf, ownershipMarkOf } from '../checkout/order-ownership.js';
import { findCart } from '../db/carts.js';
import { findOrder } from '../db/orders.js';
import { type PricedCart, priceCart } from '../domain/cart.js';
import { CONTACT_FIELD_NAMES, CONTACT_FIELDS } from '../domain/contact.js';
import type { Translate } from '../locales/translations.js';
import type { WebContext } from './context.js';
import { type Fields, fieldsOf } from './form-body.js';
import { type CheckoutPage, checkoutPage } from './pages/checkout-page.js';
import type { TypedForm } from './pages/contact-fields.js';
import { contextOf } from './request-context.js';
import { ownershipMarks } from './session.js';

/** The checkout form of one payment flow. */
export interface CheckoutForm {
  title(t: Translate): string;
  send(web: WebContext, res: Response, filled: FilledForm): Promise<void>;
}

interface FilledForm {
  readonly page: CheckoutPage;
  readonly title: string;
  readonly status: number;
  /** Error message for the fields that only this payment flow has. */
  readonly problem?: string;
}

interface FormAnswer {
  readonly form: CheckoutForm;
  readonly status: number;
  readonly typed: TypedForm;
  readonly problem?: string;
  readonly notice?: string;
  /** The priced cart, if the caller has read it. Default: the cart of the session. */
  readonly priced?: PricedCart;
}

/** Sends the form with status 200. The fields hold the values of the session's last order. */
export async function sendFreshForm(web: WebContext, res: Response, form: CheckoutForm): Promise<void> {
  const typed = { values: await lastContact(web, res), problems: {} };
  return sendForm(web, res, { form, status: 200, typed });
}

/** Sends the checkout form with the posted values and their error messages. Redirects to `/cart` if the cart is empty. */
export async function sendForm(web: WebContext, res: Response, answer: FormAnswer): Promise<void> {
  const { t, locale } = contextOf(res);
  const { form, status, typed, problem } = answer;
  const priced = answer.priced ?? (await priceSessionCart(web, res));
  if (priced.lines.length === 0) {
    res.redirect(303, '/cart');
    return;
  }
  const page = checkoutPage({ t, locale }, priced, typed, {
    notices: answer.notice === undefined ? [] : [answer.notice],
    hasOtherFlow: web.settings.paymentFlows.length > 1,
    payAgain: isPayAgain(res.req),
  });
  const name = form.title(t);
  const title = status === 200 ? name : t('titles.withErrors', { title: name });
  if (status === 503) res.set('Retry-After', '5');
  return form.send(web, res, { page, title, status, problem });
}

/** Returns whether the customer left a 3D Secure page and chose to pay again. The form then shows a warning. */
export function isPayAgain(req: Request): boolean {
  return req.query['pay_again'] === '1' || fieldsOf(req)['pay_again'] === '1';
}

/** Returns the cart of the session at current prices. A session without a cart has an empty one. */
export async function priceSessionCart(web: WebContext, res: Response): Promise<PricedCart> {
  const { cartId } = res.req.session;
  const cart =
    cartId === undefined
      ? undefined
      : await findCart(web.checkout.db.queries, cartId, web.checkout.clock.now());
  return priceCart(cart ?? { lines: [] });
}

/** Returns the posted contact fields and shipping option unchanged. Values that are not strings are left out. */
export function typedTexts(fields: Fields): TypedForm['values'] {
  const names = [...CONTACT_FIELD_NAMES, 'shipping_option'];
  return Object.fromEntries(
    names.flatMap((name) => (typeof fields[name] === 'string' ? [[name, fields[name]]] : [])),
  );
}

/** Returns contact and shipping option of the last order of this session, or no values if its contact has changed. */
async function lastContact(web: WebContext, res: Response): Promise<TypedForm['values']> {
  const mark = ownershipMarks(res).at(-1);
  const order = mark === undefined ? undefined : await findOrder(web.checkout.db.queries, orderIdOf(mark));
  if (!order || ownershipMarkOf(order) !== mark) return {};
  const contact = CONTACT_FIELD_NAMES.map((name) => [name, order[CONTACT_FIELDS[name].column]]);
  return { ...Object.fromEntries(contact), shipping_option: order.shippingOption };
}
