import type { Response } from 'express';
import type { CheckoutContext } from '../checkout/context.js';
import { isOwnOrder } from '../checkout/order-ownership.js';
import type { CheckoutRequest, CheckoutResult } from '../checkout/placement.js';
import { findLatestOrderOfCart } from '../db/orders.js';
import { CONTACT_FIELD_NAMES, PERSON_FIELD_NAMES, readContact } from '../domain/contact.js';
import { errorName } from '../domain/error-name.js';
import { needsAddress, SHIPPING_OPTIONS } from '../domain/shipping.js';
import { ShopError } from '../domain/shop-error.js';
import { type CheckoutForm, isPayAgain, sendForm, typedTexts } from './checkout-form.js';
import type { TypedForm } from './contact-fields.js';
import { fieldsOf } from './form-body.js';
import { addressKeyOf, limitGatewayUse, tooManyAttempts } from './middleware/rate-limit.js';
import { render } from './render.js';
import { contextOf, logOrderNumber } from './request-context.js';
import { cartPage } from './routes/cart.js';
import { addOrderToSession, ownershipMarks } from './session.js';

/** `Retry-After` for a client with too many reservations. The reservation of a declined order ends within this time. */
const RESERVATION_WAIT_S = 900;

type StartPayment = (context: CheckoutContext, request: CheckoutRequest) => Promise<CheckoutResult>;

/** A form as submitted, with the texts of its fields. */
interface SubmittedForm {
  readonly form: CheckoutForm;
  readonly typed: TypedForm;
}

/**
 * Validates the posted form, starts the payment and redirects the customer.
 * Sends the form again with 422 (invalid fields), 409 (changed cart or total), 502 (refused payment) or 503 (no gateway).
 * Throws `cart_empty` and `too_many_attempts`. `flow` starts the payment, or has the problem of the flow's own fields.
 */
export async function submitCheckout(
  res: Response,
  form: CheckoutForm,
  flow: { readonly start: StartPayment } | { readonly problem: string },
): Promise<void> {
  const fields = fieldsOf(res.req);
  const values = typedTexts(fields);
  const typed = { values, problems: {} };
  // A form without the field means `none`, which a cart with products to ship refuses.
  const { shipping_option: posted = 'none', seen_total: total } = fields;
  const option = SHIPPING_OPTIONS.find((each) => each === posted);
  const isShipped = option !== undefined && needsAddress(option);
  const result = readContact(fields, isShipped ? CONTACT_FIELD_NAMES : PERSON_FIELD_NAMES);
  if (!result.ok || !option) {
    const problems: TypedForm['problems'] = {
      ...(!result.ok && result.problems),
      ...(!option && { shipping_option: 'invalid' }),
    };
    return sendForm(res, { form, status: 422, typed: { values, problems } });
  }
  if ('problem' in flow) return sendForm(res, { form, status: 422, typed, problem: flow.problem });
  const { t, locale } = contextOf(res);
  const request = {
    cartId: res.req.session.cartId,
    contact: result.contact,
    shipping: { option, name: t(`shipping.${option}.label`) },
    locale,
    ownershipMarks: ownershipMarks(res),
    payAgain: isPayAgain(res.req),
    seenTotal: typeof total === 'string' ? total : undefined,
    addressKey: addressKeyOf(res),
  };
  return pay(res, flow.start, request, { form, typed });
}

async function pay(
  res: Response,
  start: StartPayment,
  request: CheckoutRequest,
  submitted: SubmittedForm,
): Promise<void> {
  const { t, checkout } = contextOf(res);
  // Without a cart no order is placed, and the gateway is not called.
  if (request.cartId !== undefined) await limitGatewayUse(res);
  try {
    await sendResult(res, await start(checkout, request), request, submitted);
  } catch (error) {
    const code = error instanceof ShopError ? error.code : undefined;
    if (code === 'too_many_attempts') throw tooManyAttempts(res, 'reservations', RESERVATION_WAIT_S);
    // After these errors the customer may submit the same form again.
    if (code !== 'gateway_unavailable' && code !== 'payment_refused') throw error;
    checkout.log.warn('checkout.failed', { reason: errorName(error) });
    await rememberOrder(res, request);
    const answer =
      code === 'gateway_unavailable'
        ? { status: 503, notice: t('notices.gatewayUnavailable') }
        : { status: 502, notice: t('errors.payment_refused.text') };
    await sendForm(res, { ...submitted, ...answer });
  }
}

/** Adds an order that was placed before its payment failed to the session. The next form is filled from it. */
async function rememberOrder(res: Response, request: CheckoutRequest): Promise<void> {
  const { queries } = contextOf(res).checkout.db;
  const order = request.cartId && (await findLatestOrderOfCart(queries, request.cartId));
  if (order && isOwnOrder(order, request)) await addOrderToSession(res.req, order);
}

async function sendResult(
  res: Response,
  result: CheckoutResult,
  request: CheckoutRequest,
  submitted: SubmittedForm,
): Promise<void> {
  if (result.kind === 'cart_empty') throw new ShopError('cart_empty');
  if (result.kind === 'cart_changed') return sendChangedCart(res, result, submitted);
  if (result.kind === 'confirm_pay_again') return sendForm(res, { ...submitted, status: 409, payAgain: true });
  logOrderNumber(res, result.order);
  if (isOwnOrder(result.order, request)) await addOrderToSession(res.req, result.order);
  if (result.kind === 'redirect') res.redirect(302, result.url);
  else res.redirect(303, `/orders/${result.order.token}`);
}

/** Sends the form with the current total. A shipping option that is not offered is an error at its field. */
function sendChangedCart(
  res: Response,
  { cart: priced, total }: Extract<CheckoutResult, { kind: 'cart_changed' }>,
  { form, typed }: SubmittedForm,
): Promise<void> {
  const i18n = contextOf(res);
  if (priced.lines.length === 0) {
    const title = i18n.t('titles.cart');
    const page = cartPage(i18n, priced);
    return render(res, 'cart', { title, hasErrors: true, page, status: 409, path: '/cart', cartCount: 0 });
  }
  if (total === undefined) {
    const isMissing = typed.values.shipping_option === undefined;
    const problems = { shipping_option: isMissing ? 'required' : 'invalid' } as const;
    const changed = { values: typed.values, problems };
    return sendForm(res, { form, status: isMissing ? 422 : 409, typed: changed, priced });
  }
  const notice = i18n.t('notices.totalChanged', { total: i18n.money(total) });
  return sendForm(res, { form, status: 409, typed, priced, notice });
}
