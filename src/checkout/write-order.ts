import { randomBytes } from 'node:crypto';
import { findAttempts } from '../db/attempts.js';
import type { Queries } from '../db/database.js';
import { insertOrder, isPaidElsewhere, lockOrder, type Order, updateSuccessor } from '../db/orders.js';
import { releaseCart } from '../db/stock.js';
import { type Cart, freezeLines, type PricedCart } from '../domain/cart.js';
import type { Contact } from '../domain/contact.js';
import {
  ID_BYTES,
  ORDER_NUMBER_BYTES,
  ORDER_TOKEN_BYTES,
  orderNumber,
  orderToken,
  timeOrderedId,
} from '../domain/ids.js';
import type { Locale } from '../domain/locale.js';
import { type Centavos, CURRENCY } from '../domain/money.js';
import type { PaymentFlow } from '../domain/order.js';
import type { ShippingOption, ShippingOptionId } from '../domain/shipping.js';
import { insertNewAttempt, type LeasedAttempt } from './acquire-attempt.js';
import { applyTransition } from './apply-transition.js';
import type { CheckoutContext } from './context.js';
import { contactHashOf } from './order-ownership.js';
import { reserveCart } from './reserve-stock.js';

/** What a new order takes from the checkout form. */
export interface OrderInput {
  readonly contact: Contact;
  /** The chosen shipping option, and the name of its order line in the customer's locale. */
  readonly shipping: { readonly option: ShippingOptionId; readonly name: string };
  readonly locale: Locale;
  /** Hash of the client's rate limit address. Absent: the number of its reservations is not limited. */
  readonly addressKey?: string | undefined;
}

/** A shipping option with the total of the order. */
export interface Offer extends ShippingOption {
  readonly total: Centavos;
}

/** The input of a new order. */
export interface NewOrder {
  readonly cart: Cart;
  readonly priced: PricedCart;
  readonly offer: Offer;
  readonly request: OrderInput;
  readonly flow: PaymentFlow;
  /** The latest order of the cart. The new one replaces it. */
  readonly earlier: Order | undefined;
  readonly at: number;
}

/** Inserts the order, its reservation and its first attempt, and ends the earlier order. */
export async function writeOrder(
  queries: Queries,
  context: CheckoutContext,
  { cart, priced, offer, request, flow, earlier, at }: NewOrder,
): Promise<LeasedAttempt> {
  const { contact, locale } = request;
  const id = timeOrderedId(at, randomBytes(ID_BYTES));
  const number = orderNumber(randomBytes(ORDER_NUMBER_BYTES));
  const row = {
    id,
    number,
    token: orderToken(randomBytes(ORDER_TOKEN_BYTES)),
    cartId: cart.id,
    cartVersion: cart.version,
    state: 'created' as const,
    version: 1,
    total: offer.total,
    currency: CURRENCY,
    ...contact,
    shippingOption: offer.id,
    contactHash: contactHashOf(id, contact),
    locale,
    reviewReason: null,
    supersededBy: null,
    paidAttemptId: null,
    createdAt: at,
    updatedAt: at,
    paidAt: null,
  };
  const lines = freezeLines(priced, locale, { name: request.shipping.name, price: offer.price });
  await insertOrder(queries, row, lines);
  if (earlier) {
    await replaceOrder(queries, context, earlier.id, { successor: row, at });
    await releaseCart(queries, cart.id);
  }
  await reserveCart(queries, context, { order: row, priced, addressKey: request.addressKey, at });
  const placed = { orderId: id, at, kind: 'placed', detail: { total: row.total } };
  const lease = await insertNewAttempt(queries, context, { order: row, flow, ordinal: 1, before: [placed] });
  return { ...lease, lines };
}

/**
 * Ends the order that a changed cart replaces. The orders are linked, so that a payment of both is detected. If the older
 * goods are already paid, the orders are not linked: the cart was emptied, and the new order is for other goods.
 */
async function replaceOrder(
  queries: Queries,
  context: CheckoutContext,
  orderId: string,
  {
    successor,
    at,
  }: { readonly successor: { readonly id: string; readonly number: string }; readonly at: number },
): Promise<void> {
  const order = await lockOrder(queries, orderId);
  if (order.state === 'paid') return;
  const linked = !(await isPaidElsewhere(queries, order));
  if (linked) await updateSuccessor(queries, orderId, successor.id);
  const attempts = await findAttempts(queries, orderId);
  const attempt = attempts.find(({ live }) => live === 1) ?? attempts.at(-1);
  if (!attempt) throw new Error('an order without an attempt');
  await applyTransition(queries, context, {
    order,
    attempt,
    event: { type: 'order_replaced' },
    at,
    patch: attempt.live === 1 && attempt.flow === 'card' ? { abandonedAt: at } : undefined,
    orderPatch: linked ? { supersededBy: successor.id } : undefined,
    history: { kind: 'superseded', detail: { replacedBy: successor.number } },
  });
}
