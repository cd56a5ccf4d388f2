/** Steps that several tests of this folder share. */

import type { Fault } from '@tianguis/gateway-tools';
import type { Attempt, CardTokens } from '@tianguis/payments/rules';
import { processInbox, receiveWebhook, resolveRefund } from '@tianguis/payments/testing';
import type { CheckoutContext } from '../../src/shop/checkout-context.js';
import { type CheckoutResult, placeAndStart } from '../../src/shop/place-order.js';
import type { CheckoutRequest } from '../../src/shop/read-cart-to-place.js';
import { type Customer, contactColumns, mugOrder } from '../support/customer.js';
import { openHostedPage, payAndReturn, payByCard } from '../support/purchase.js';
import { allRefunds, orderOf, refunding } from '../support/refunds.js';
import { createClient } from '../support/replica.js';
import type { TestShop } from '../support/test-shop.js';

/** Places an order and sends its card payment, as the card form does. */
export function startCardPayment(
  context: CheckoutContext,
  request: CheckoutRequest,
  tokens: CardTokens,
): Promise<CheckoutResult> {
  return placeAndStart(context, request, 'card', (orderId, options) =>
    context.payments.startCard(orderId, tokens, options),
  );
}

/** Returns the input that the card form sends to the use case, for a cart with one `taza-talavera`. */
export function requestFor(cartId: string | undefined) {
  return {
    cartId,
    contact: contactColumns,
    choice: { shippingOption: 'none' as const },
    nameOfFee: () => '',
    locale: 'es-MX' as const,
    ownershipMarks: [],
    seen: mugOrder.seen,
  };
}

/** Submits both forms again, and the card form once more with a changed cart. Returns the locations of the answers. */
export async function submitAgain(shop: TestShop, customer: Customer) {
  const answers = [await payByCard(shop, customer), await customer.payHosted()];
  await customer.add({ product_id: 'jarra-barro-negro' });
  answers.push(await payByCard(shop, customer));
  return answers.map(({ headers }) => headers['location']);
}

/** Stores an authenticated webhook that names a payment, by default the first one, and processes the inbox. */
export async function receivePaymentWebhook(shop: TestShop, payment = shop.control.payments()[0]): Promise<void> {
  const event = JSON.stringify({ id: payment?.id, client_reference: payment?.reference });
  await receiveWebhook(shop.checkout, event);
  await processInbox(shop.checkout);
}

/** The context of a process with another key. The simulator accepts it, because the client sends the first one. */
export function withKey({ simulator, checkout }: TestShop, keyFingerprint: string): CheckoutContext {
  return { ...checkout, gateway: createClient(simulator.url), config: { ...checkout.config, keyFingerprint } };
}

export const OTHER_AMOUNT: Fault = { kind: 'rewrite', set: { amount_total: 1 } };

/** Pays a hosted page whose lookup names another amount. */
export async function openMismatch(shop: TestShop) {
  const page = await openHostedPage(shop);
  shop.control.fault('read-session', OTHER_AMOUNT);
  await payAndReturn(shop, page);
  return page;
}

/** Resolves the newest refund of an attempt. */
export async function resolve(
  shop: TestShop,
  attempt: Attempt,
  action: Parameters<typeof resolveRefund>[1]['action'],
  changes: { readonly version?: number; readonly gatewayRefundId?: string | undefined } = {},
) {
  const { id: orderId, version } = await orderOf(shop, attempt);
  const refundId = (await allRefunds(shop)).findLast(({ attemptId }) => attemptId === attempt.id)?.id ?? '';
  return resolveRefund(refunding(shop), { orderId, refundId, version, action, by: 'ana', ...changes });
}
