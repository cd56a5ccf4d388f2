/** Common steps of a purchase. */
import type { Response } from 'supertest';
import { orderOfSession } from './inspect.js';
import { contact, Shopper, sessionIdOf } from './shopper.js';
import type { TestShop } from './test-shop.js';

/** Published test cards by outcome. */
export const CARDS = {
  paid: '4000000000000077',
  challenged: '4456528080389860',
  authorized: '4456540000000063',
  declined: '5451951574925480',
} as const;

export interface OpenCheckout {
  readonly shopper: Shopper;
  /** The id of the checkout session. */
  readonly session: string;
  /** The path to which the gateway redirects the customer. */
  readonly returnPath: string;
  readonly orderPath: string;
}

/** Opens the hosted page for a customer with one cart line. */
export async function openHostedPage(shop: TestShop, quantity = '1'): Promise<OpenCheckout> {
  const shopper = await Shopper.withCart(shop, { quantity });
  const redirect = await shopper.payHosted();
  const session = sessionIdOf(redirect.headers['location']);
  const { token } = await orderOfSession(shop, session);
  return {
    shopper,
    session,
    returnPath: `/checkout/return/${token}`,
    orderPath: `/orders/${token}`,
  };
}

/** Submits the card form with tokens of this card. */
export function payByCard(
  shop: Pick<TestShop, 'simulator'>,
  shopper: Shopper,
  card: string = CARDS.paid,
): Promise<Response> {
  const tokens = shop.simulator.control.tokenizeCard(card);
  return shopper.post('/checkout/card', { ...contact, ...tokens });
}

/** Returns the input that the card form sends to the use case. */
export function requestFor(cartId: string | undefined) {
  return {
    cartId,
    contact: { firstName: 'Eva', lastName: 'Ruiz Nava', email: contact.email },
    locale: 'es-MX' as const,
    ownOrders: [],
  };
}
