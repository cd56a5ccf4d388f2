import type { Response } from 'express';
import type { CheckoutResult } from '../checkout/checkout-result.js';
import type { CheckoutContext } from '../checkout/context.js';
import { isOwnOrder } from '../checkout/order-ownership.js';
import type { CheckoutRequest } from '../checkout/place-order.js';
import { type Contact, readContact } from '../domain/contact.js';
import { errorName } from '../domain/error-name.js';
import { ShopError } from '../domain/shop-error.js';
import { formatMoney } from '../locales/format.js';
import { type CheckoutForm, isPayAgain, sendForm, typedTexts } from './checkout-form.js';
import type { WebContext } from './context.js';
import { addressKeyOf, limitGatewayUse, tooManyAttempts } from './middleware/rate-limit.js';
import type { TypedContact } from './pages/checkout-page.js';
import { cartPage } from './pages/shop-pages.js';
import { render } from './render.js';
import { checkoutFor, contextOf, logOrderNumber } from './request-context.js';
import { addOrderToSession, ownershipMarks } from './session.js';

type Fields = Readonly<Record<string, unknown>>;
/** Time until a client with too many reservations may try again. A declined order ends its reservation after 15 min. */
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
  readonly contact: Contact;
  readonly start: StartPayment;
  readonly seenTotal: string | undefined;
  readonly typed: TypedContact;
}

/**
 * Validates the posted form, starts the payment and redirects the customer.
 * Sends the form again for invalid fields (422), a changed cart (409), a refused payment (502) or no gateway (503).
 * Throws `cart_empty` and `too_many_attempts`.
 */
export async function submitCheckout(web: WebContext, res: Response, input: FlowInput): Promise<void> {
  const { form } = input;
  const fields = res.req.body as Fields;
  const values = typedTexts(fields);
  const result = readContact(fields);
  if (!result.ok)
    return sendForm(web, res, { form, status: 422, typed: { values, problems: result.problems } });
  const typed = { values, problems: {} };
  if ('problem' in input) return sendForm(web, res, { form, status: 422, typed, problem: input.problem });
  const { seen_total: total } = fields;
  const seenTotal = typeof total === 'string' ? total : undefined;
  return pay(web, res, { form, typed, contact: result.contact, start: input.start, seenTotal });
}

async function pay(web: WebContext, res: Response, submission: Submission): Promise<void> {
  const { form, contact, start, typed } = submission;
  const request = {
    cartId: res.req.session.cartId,
    contact,
    locale: contextOf(res).locale,
    ownershipMarks: ownershipMarks(res),
    replaceAbandoned: isPayAgain(res.req),
    seenTotal: submission.seenTotal,
    addressKey: addressKeyOf(web, res.req),
  };
  // Without a cart no order is placed, and the gateway is not called.
  if (request.cartId !== undefined) await limitGatewayUse(web, res);
  try {
    const result = await start(checkoutFor(web, res), request);
    await sendResult(web, res, { result, submission });
  } catch (error) {
    if (error instanceof ShopError && error.code === 'too_many_attempts')
      throw tooManyAttempts(web, res, { name: 'reservations', seconds: RESERVATION_WAIT_S });
    const answer = formErrorFor(res, error);
    if (!answer) throw error;
    checkoutFor(web, res).log.warn('checkout.failed', { reason: errorName(error) });
    await sendForm(web, res, { form, typed, ...answer });
  }
}

/** Returns status and notice for errors after which the customer may submit the same form again. */
function formErrorFor(res: Response, error: unknown): { status: number; notice: string } | undefined {
  const { t } = contextOf(res);
  const code = error instanceof ShopError ? error.code : undefined;
  if (code === 'gateway_unavailable') return { status: 503, notice: t('notices.gatewayUnavailable') };
  return code === 'payment_refused' ? { status: 502, notice: t('errors.payment_refused.text') } : undefined;
}

async function sendResult(
  web: WebContext,
  res: Response,
  { result, submission }: { readonly result: CheckoutResult; readonly submission: Submission },
): Promise<void> {
  if (result.kind === 'cart_empty') throw new ShopError('cart_empty');
  if (result.kind === 'cart_changed' && result.cart.lines.length === 0) {
    const i18n = contextOf(res);
    const title = i18n.t('titles.withErrors', { title: i18n.t('titles.cart') });
    const page = cartPage(i18n, result.cart);
    return render(web, res, 'cart', { title, page, status: 409, path: '/cart', cartCount: 0 });
  }
  if (result.kind === 'cart_changed') {
    const { locale, t } = contextOf(res);
    const notice = t('notices.totalChanged', { total: formatMoney(result.cart.total, locale) });
    const { form, typed } = submission;
    return sendForm(web, res, { form, status: 409, typed, priced: result.cart, notice });
  }
  const { contact } = submission;
  logOrderNumber(res, result.order);
  if (isOwnOrder(result.order, { contact, ownershipMarks: ownershipMarks(res) }))
    await addOrderToSession(res.req, result.order);
  if (result.kind === 'redirect') res.redirect(302, result.url);
  else res.redirect(303, `/orders/${result.order.token}`);
}
