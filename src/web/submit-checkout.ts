import { errorName, PaymentError } from '@tianguis/payments/rules';
import type { Response } from 'express';
import type { CheckoutContext } from '../shop/checkout-context.js';
import { isOwnOrder, orderIdOf } from '../shop/order-ownership.js';
import { type CheckoutResult, placeAndStart } from '../shop/place-order.js';
import type { CheckoutRequest } from '../shop/read-cart-to-place.js';
import { CONTACT_FIELD_NAMES, ORDER_FIELD_NAMES, readContact } from '../shop/rules/contact.js';
import { FEES, type FeeId, readChoice, wantsDelivery } from '../shop/rules/fees.js';
import { reachableZones } from '../shop/rules/shipping-table.js';
import { suggestEmail } from '../shop/rules/suggest-email.js';
import { type LimitedStart, peekStart } from '../shop/start-limits.js';
import { findOrder, type Order } from '../tables/orders.js';
import { type CartAnswer, priceNotices } from './cart-page.js';
import { type FormAnswer, isPayAgain, typedTexts } from './checkout-form.js';
import { clientKeysOf } from './client-address.js';
import type { TypedForm } from './contact-fields.js';
import type { FlowPages } from './flow-pages.js';
import { type Fields, fieldsOf, readText } from './form-body.js';
import { asksAboutEmail } from './former-email.js';
import { reportLimit } from './middleware/rate-limit.js';
import { orderPath, paths } from './paths.js';
import { contextOf, logOrderNumber } from './request-context.js';
import { addOrderToSession, ownershipMarks } from './session.js';
import { redirectToForm } from './typed-form.js';

/** A valid form: the request for the use case, and the texts of its fields. */
export interface Submission {
  readonly kind: 'request';
  readonly request: CheckoutRequest;
  readonly typed: TypedForm;
}

/** The form to show again: it is invalid, or its address may have a typing error. */
interface FormToShow {
  readonly kind: 'form';
  readonly answer: FormAnswer;
}

/**
 * Validates the posted form. Before anything is placed, it asks once about an address that may have a typing error, or that was
 * replaced in an order of the session.
 */
export async function readSubmission(res: Response): Promise<Submission | FormToShow> {
  const fields = fieldsOf(res.req);
  const values = typedTexts(fields);
  const choice = readChoice(fields);
  const { shippingOption: option } = choice;
  const isShipped = wantsDelivery(choice);
  const { t, locale, checkout } = contextOf(res);
  const result = readContact(fields, isShipped ? CONTACT_FIELD_NAMES : ORDER_FIELD_NAMES, checkout.clock.now());
  if (!result.ok || !option) {
    const problems: TypedForm['problems'] = {
      ...(!result.ok && result.problems),
      ...(!option && { shipping_option: 'invalid' }),
    };
    return { kind: 'form', answer: { status: 422, typed: { values, problems } } };
  }
  const suggestion = suggestionFor(fields, result.contact.email);
  if (suggestion !== undefined) {
    const notices = [t('notices.emailTypo', { email: suggestion })];
    return { kind: 'form', answer: { status: 200, typed: { values, problems: {} }, notices } };
  }
  const marks = ownershipMarks(res);
  if (await asksAboutEmail(contextOf(res), fields, marks.map(orderIdOf), result.contact.email))
    return { kind: 'form', answer: { status: 422, typed: { values, problems: { email: 'formerEmail' } } } };
  const request = {
    cartId: res.req.session.cartId,
    contact: result.contact,
    choice,
    nameOfFee: (id: FeeId) => t(FEES[id].label(option)),
    locale,
    ownershipMarks: marks,
    payAgain: isPayAgain(res.req),
    seen: readText(fields['seen']),
    client: clientKeysOf(res),
    orderPlaced: (order: Order) => addOrderToSession(res, order),
  };
  return { kind: 'request', request, typed: { values, problems: {} } };
}

/** Returns a corrected address, unless the form asked about the posted one before. */
function suggestionFor(fields: Fields, email: string): string | undefined {
  return readText(fields['email_asked']) === email ? undefined : suggestEmail(email);
}

/**
 * Places the order, starts its payment and redirects the customer. Otherwise returns the form to show again: 409 (changed
 * cart or total, or a warning to confirm), 422 (fields of the flow), 429 (a limit), 502 (refused payment) or 503 (no gateway, or
 * an earlier payment of another customer has no answer).
 */
export async function submitPayment(
  res: Response,
  submission: Submission,
  flow: FlowPages,
): Promise<FormAnswer | undefined> {
  const { t, checkout } = contextOf(res);
  const { request, typed } = submission;
  const reading = flow.readStart(res);
  if ('problem' in reading) return { status: 422, typed, problem: reading.problem };
  try {
    const result =
      (await findLimit(checkout, flow, request)) ?? (await placeAndStart(checkout, request, flow.id, reading.start));
    return await answerResult(res, result, submission);
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    checkout.log.warn('checkout.failed', { reason: errorName(error) });
    const busy = error.orderId === undefined ? undefined : await findOrder(checkout.db.queries, error.orderId);
    if (busy && isOwnOrder(busy, request)) return answerResult(res, { kind: 'show_order', order: busy }, submission);
    // After these errors the customer may submit the same form again.
    const retryAt = checkout.clock.now() + 5_000;
    switch (error.code) {
      case 'gateway_unavailable':
        return { typed, status: 503, retryAt, notices: [t('notices.gatewayUnavailable')] };
      case 'busy':
        return { typed, status: 503, retryAt, notices: [t('errors.busy.text')] };
      case 'payment_refused':
        return { typed, status: 502, notices: [t('errors.payment_refused.text')] };
    }
  }
}

/** Returns the limit that would refuse the payment of an order that is not placed yet. */
async function findLimit(
  checkout: CheckoutContext,
  { id, paysAtOnce }: FlowPages,
  { cartId, client }: CheckoutRequest,
): Promise<LimitedStart | undefined> {
  return paysAtOnce && cartId && client ? peekStart(checkout, id, { ...client, cartId }) : undefined;
}

async function answerResult(
  res: Response,
  result: CheckoutResult | LimitedStart,
  { request, typed }: Submission,
): Promise<FormAnswer | undefined> {
  switch (result.kind) {
    case 'cart_empty':
      return redirectToCart(res);
    case 'in_review':
      return redirectToReviewedCart(res, result);
    case 'cart_changed':
      return answerChangedCart(res, result, typed);
    case 'shop_closed':
      // The page itself says until when.
      return { typed, status: 409 };
    case 'confirm_pay_again':
      return { typed, status: 409, payAgain: true };
    case 'limited':
      reportLimit(res, result.limit, result.seconds);
      return { typed, status: 429, retryAt: contextOf(res).checkout.clock.now() + result.seconds * 1000 };
    case 'redirect':
      logOrderNumber(res, result.order);
      res.redirect(302, result.url);
      return undefined;
    case 'show_order':
      logOrderNumber(res, result.order);
      // It may be another order than the one that was placed now.
      if (isOwnOrder(result.order, request)) await addOrderToSession(res, result.order);
      res.redirect(303, orderPath(result.order));
      return undefined;
    default:
      return result satisfies never;
  }
}

/** Redirects to the cart. It names the products whose earlier payment is in review, and has a button to remove each. */
function redirectToReviewedCart(
  res: Response,
  { products }: Extract<CheckoutResult, { kind: 'in_review' }>,
): Promise<undefined> {
  const i18n = contextOf(res);
  const names = new Intl.ListFormat(i18n.locale).format(products.map(({ name }) => i18n.text(name)));
  return redirectToCart(res, [i18n.t('notices.inReview', { names })]);
}

async function redirectToCart(res: Response, notices: readonly string[] = []): Promise<undefined> {
  if (notices.length === 0) res.redirect(303, paths.cart);
  else await redirectToForm(res, paths.cart, { status: 409, notices } satisfies CartAnswer);
}

/**
 * Returns the form with what changed and the current total. A shipping option that is not offered is an error at its field.
 * Redirects to the cart if nothing of it is left.
 */
async function answerChangedCart(
  res: Response,
  { cart: priced, total }: Extract<CheckoutResult, { kind: 'cart_changed' }>,
  typed: TypedForm,
): Promise<FormAnswer | undefined> {
  const i18n = contextOf(res);
  // The next page reads the cart with its changes accepted.
  const notices = priceNotices(i18n, priced);
  if (priced.lines.length === 0) return redirectToCart(res, notices);
  if (total === undefined) {
    const { shipping_option: option } = typed.values;
    const problem = option === undefined ? 'required' : 'invalid';
    // The option is offered for other addresses.
    const isElsewhere =
      reachableZones(i18n.shipping).some(({ delivery }) => delivery) && wantsDelivery(readChoice(typed.values));
    const problems = isElsewhere ? ({ state: 'notDelivered' } as const) : ({ shipping_option: problem } as const);
    return { status: option === undefined ? 422 : 409, typed: { values: typed.values, problems }, notices };
  }
  return { status: 409, typed, notices };
}
