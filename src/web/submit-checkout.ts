import type { Response } from 'express';
import type { CheckoutResult } from '../checkout/acquire-attempt.js';
import type { CheckoutContext } from '../checkout/context.js';
import { isOwnOrder } from '../checkout/order-ownership.js';
import type { CheckoutRequest } from '../checkout/place-order.js';
import { CONTACT_FIELD_NAMES, PERSON_FIELD_NAMES, readContact } from '../domain/contact.js';
import { errorName } from '../domain/error-name.js';
import { needsAddress, SHIPPING_OPTIONS } from '../domain/shipping.js';
import { ShopError } from '../domain/shop-error.js';
import { formatMoney } from '../locales/format.js';
import { type CheckoutForm, isPayAgain, sendForm, typedTexts } from './checkout-form.js';
import type { WebContext } from './context.js';
import { fieldsOf } from './form-body.js';
import { addressKeyOf, limitGatewayUse, tooManyAttempts } from './middleware/rate-limit.js';
import type { TypedForm } from './pages/contact-fields.js';
import { cartPage } from './pages/shop-pages.js';
import { render } from './render.js';
import { checkoutFor, contextOf, logOrderNumber } from './request-context.js';
import { addOrderToSession, ownershipMarks } from './session.js';

/** `Retry-After` for a client with too many reservations. The reservation of a declined order ends within this time. */
const RESERVATION_WAIT_S = 900;

type StartPayment = (context: CheckoutContext, request: CheckoutRequest) => Promise<CheckoutResult>;

/** The parts of the checkout that depend on the payment flow. `problem`: the flow's own fields are invalid. */
type FlowInput = { readonly form: CheckoutForm } & (
  | { readonly start: StartPayment }
  | { readonly problem: string }
);

/** A validated form. */
interface Submission {
  readonly form: CheckoutForm;
  readonly typed: TypedForm;
  readonly start: StartPayment;
  readonly request: CheckoutRequest;
}

/**
 * Validates the posted form, starts the payment and redirects the customer.
 * Sends the form again for invalid fields (422), a changed cart or total (409), a refused payment (502), no gateway (503)
 * or the button that updates the total (200).
 * Throws `cart_empty` and `too_many_attempts`.
 */
export async function submitCheckout(web: WebContext, res: Response, input: FlowInput): Promise<void> {
  const { form } = input;
  const fields = fieldsOf(res.req);
  const values = typedTexts(fields);
  const typed = { values, problems: {} };
  if (fields['update_total'] !== undefined) return sendForm(web, res, { form, status: 200, typed });
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
    return sendForm(web, res, { form, status: 422, typed: { values, problems } });
  }
  if ('problem' in input) return sendForm(web, res, { form, status: 422, typed, problem: input.problem });
  const { t, locale } = contextOf(res);
  const request = {
    cartId: res.req.session.cartId,
    contact: result.contact,
    shipping: { option, name: t(`shipping.${option}.label`) },
    locale,
    ownershipMarks: ownershipMarks(res),
    replaceAbandoned: isPayAgain(res.req),
    seenTotal: typeof total === 'string' ? total : undefined,
    addressKey: addressKeyOf(web, res.req),
  };
  return pay(web, res, { form, typed, start: input.start, request });
}

async function pay(web: WebContext, res: Response, submission: Submission): Promise<void> {
  const { form, typed, start, request } = submission;
  const { t } = contextOf(res);
  // Without a cart no order is placed, and the gateway is not called.
  if (request.cartId !== undefined) await limitGatewayUse(web, res);
  try {
    const result = await start(checkoutFor(web, res), request);
    await sendResult(web, res, result, submission);
  } catch (error) {
    const code = error instanceof ShopError ? error.code : undefined;
    if (code === 'too_many_attempts') throw tooManyAttempts(web, res, 'reservations', RESERVATION_WAIT_S);
    // After these errors the customer may submit the same form again.
    if (code !== 'gateway_unavailable' && code !== 'payment_refused') throw error;
    checkoutFor(web, res).log.warn('checkout.failed', { reason: errorName(error) });
    const answer =
      code === 'gateway_unavailable'
        ? { status: 503, notice: t('notices.gatewayUnavailable') }
        : { status: 502, notice: t('errors.payment_refused.text') };
    await sendForm(web, res, { form, typed, ...answer });
  }
}

async function sendResult(
  web: WebContext,
  res: Response,
  result: CheckoutResult,
  submission: Submission,
): Promise<void> {
  if (result.kind === 'cart_empty') throw new ShopError('cart_empty');
  if (result.kind === 'cart_changed' && result.cart.lines.length === 0) {
    const i18n = contextOf(res);
    const title = i18n.t('titles.withErrors', { title: i18n.t('titles.cart') });
    const page = cartPage(i18n, result.cart);
    return render(web, res, 'cart', { title, page, status: 409, path: '/cart', cartCount: 0 });
  }
  if (result.kind === 'cart_changed') return sendChangedForm(web, res, result, submission);
  logOrderNumber(res, result.order);
  if (isOwnOrder(result.order, submission.request)) await addOrderToSession(res.req, result.order);
  if (result.kind === 'redirect') res.redirect(302, result.url);
  else res.redirect(303, `/orders/${result.order.token}`);
}

/** Sends the form with the current total. A shipping option that is not offered is an error at its field. */
function sendChangedForm(
  web: WebContext,
  res: Response,
  result: Extract<CheckoutResult, { kind: 'cart_changed' }>,
  { form, typed }: Submission,
): Promise<void> {
  const { locale, t } = contextOf(res);
  const priced = result.cart;
  if (result.total === undefined) {
    const isMissing = typed.values.shipping_option === undefined;
    const problems = { shipping_option: isMissing ? 'required' : 'invalid' } as const;
    const changed = { values: typed.values, problems };
    return sendForm(web, res, { form, status: isMissing ? 422 : 409, typed: changed, priced });
  }
  const notice = t('notices.totalChanged', { total: formatMoney(result.total, locale) });
  return sendForm(web, res, { form, status: 409, typed, priced, notice });
}
