import { newPayment } from '@tianguis/payments';
import { OFFER_MARGIN_MS, ORDER_NUMBER_BYTES, orderNumber } from '@tianguis/payments/rules';
import type { Transaction } from '../tables/database.js';
import { insertOrder, type Order } from '../tables/orders.js';
import type { CheckoutContext } from './checkout-context.js';
import { contactHashOf } from './order-ownership.js';
import { limitedPieces, setAside } from './reserve-stock.js';
import { type Cart, codeOf, freezeLines } from './rules/cart.js';
import type { Contact } from './rules/contact.js';
import type { FeeId, Quote } from './rules/fees.js';
import type { Locale } from './rules/locale.js';
import type { ClientKeys } from './rules/stock.js';

/** What a new order freezes. */
export interface NewOrder {
  readonly contact: Contact;
  /** Returns the name of a chosen fee in the customer's locale. That of `shipping` is the label of the option. */
  nameOfFee(id: FeeId): string;
  readonly locale: Locale;
  /** Absent: what the client may set aside is not limited. */
  readonly client?: ClientKeys | undefined;
  readonly id: string;
  readonly cart: Pick<Cart, 'id' | 'version'>;
  readonly quote: Quote;
  readonly payableUntil: number;
  /** When the pieces that are set aside are free again. Absent: 2 min after an offer that starts now. */
  readonly reservedUntil?: number | undefined;
  /** Internal note. */
  readonly note?: string;
  readonly at: number;
}

/** Inserts an unpaid order with its lines and its reservation. The products must be locked, and enough of them left. */
export async function insertUnpaidOrder(
  queries: Transaction,
  context: CheckoutContext,
  input: NewOrder,
): Promise<Order> {
  const { id, cart, quote, contact, locale, payableUntil, reservedUntil, client, note = '', at } = input;
  const fees = quote.fees.map((fee) => ({ ...fee, name: input.nameOfFee(fee.productId) }));
  const lines = freezeLines(quote.cart, locale, fees);
  const number = orderNumber(context.config.orderPrefix, context.random(ORDER_NUMBER_BYTES));
  const order = {
    ...newPayment({ number, total: quote.total, payableUntil, at }, context.random),
    id,
    cartId: cart.id,
    cartVersion: cart.version,
    ...contact,
    shippingOption: quote.id,
    shippingLabel: input.nameOfFee('shipping'),
    shippingKind: quote.kind,
    shippingPrice: quote.price,
    shippingDaysMin: quote.days?.min ?? null,
    shippingDaysMax: quote.days?.max ?? null,
    contactHash: contactHashOf(id, contact),
    locale,
    discountCode: codeOf(quote.cart),
    note,
  };
  // An order that is placed without reminders gets none, also once the merchant switches them on.
  const isReminded = context.orderHooks.some((hooks) => hooks.remindsNewOrders?.(context.config));
  await insertOrder(queries, order, lines, isReminded ? at : null);
  const until = reservedUntil ?? at + context.config.orderTtlMs + OFFER_MARGIN_MS;
  await setAside(queries, context, order, { pieces: limitedPieces(quote.cart.lines), client, until });
  if (order.discountCode !== null) await context.discountCodes?.setAside(queries, order, { client, until });
  queries.onCommit(() => context.log.info('order.placed', { order: order.number }));
  return order;
}
