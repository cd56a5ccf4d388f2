import type { Response } from 'supertest';
import { MUG, SHIPPED } from './catalog.js';
import { Customer, contact, sessionIdOf } from './customer.js';
import { orderOfSession } from './inspect.js';
import type { TestShop } from './test-shop.js';

/** Published test cards by outcome. */
export const CARDS = {
  paid: '4000000000000077',
  challenged: '4456528080389860',
  authorized: '4456540000000063',
  declined: '5451951574925480',
} as const;

interface OpenCheckout {
  readonly customer: Customer;
  /** The id of the checkout session. */
  readonly session: string;
  readonly orderId: string;
  /** The path to which the gateway redirects the customer. */
  readonly returnPath: string;
  readonly orderPath: string;
}

/** Opens the hosted page for a customer with a cart. */
export async function openPageOf(shop: TestShop, customer: Customer, fields: object = contact): Promise<OpenCheckout> {
  const redirect = await customer.payHosted(fields);
  const session = sessionIdOf(redirect.headers['location']);
  const { id: orderId, token } = await orderOfSession(shop, session);
  return {
    customer,
    session,
    orderId,
    returnPath: `/checkout/return/${token}`,
    orderPath: `/orders/${token}`,
  };
}

/** Opens the hosted page for a customer with one cart line. A form with an address buys the product that is shipped. */
export async function openHostedPage(shop: TestShop, quantity = '1', fields: object = contact) {
  const product_id = 'street' in fields ? SHIPPED : MUG;
  return openPageOf(shop, await Customer.withCart(shop, { product_id, quantity }), fields);
}

/** Pays a hosted page and lets the customer return, 5 s later, when no earlier lookup is fresh. */
export async function payAndReturn(shop: TestShop, { customer, session, returnPath }: OpenCheckout) {
  shop.clock.advance(5_000);
  shop.control.paySession(session);
  return customer.get(returnPath);
}

/** Opens the hosted page, pays it, and lets the customer return. `set` changes members of the lookup's answer. */
export async function placePaidOrder(shop: TestShop, fields: object = contact, set: Record<string, unknown> = {}) {
  const opened = await openHostedPage(shop, '1', fields);
  shop.control.fault('read-session', { kind: 'rewrite', set }, 1);
  await payAndReturn(shop, opened);
  return { ...opened, order: await orderOfSession(shop, opened.session) };
}

/** Opens the hosted page and pays it. The customer does not return. */
export async function openPaidPage(shop: TestShop, quantity?: string): Promise<OpenCheckout> {
  const checkout = await openHostedPage(shop, quantity);
  shop.control.paySession(checkout.session);
  return checkout;
}

/** Submits the card form with tokens of this card. */
export function payByCard(
  shop: Pick<TestShop, 'control'>,
  customer: Customer,
  card: string = CARDS.paid,
  fields: object = contact,
): Promise<Response> {
  const tokens = shop.control.tokenizeCard(card);
  return customer.post('/checkout/card', { ...fields, ...tokens });
}
