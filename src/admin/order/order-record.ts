/** The data of an order page, and what its sections share: refused forms and lists of facts. */

import {
  findAttempts,
  findHistory,
  findOtherPaidOrder,
  findRefundedOrders,
  findRefunds,
} from '@tianguis/payments/back-office';
import { holdsCardNumber, maskCardNumbers } from '@tianguis/payments/rules';
import { findTranslatedLines } from '../../shop/find-translated-lines.js';
import type { OrderLine } from '../../shop/rules/cart.js';
import { findFulfillment } from '../../tables/fulfillments.js';
import type { Order } from '../../tables/orders.js';
import type { RefusedForm, ShownForm } from '../../web/form.js';
import type { RequestContext } from '../../web/request-context.js';
import type { Section } from '../../web/section.js';

/** A section that a feature adds to the order page. */
export interface AdminOrderSection extends Section {
  /** Links that return the money of an order in review. */
  readonly reviewLinks?: readonly { readonly label: string; readonly href: string }[];
  /**
   * `aside`: the second column of a desktop, which has what belongs to customer and payment. `address`: the card of the
   * delivery address. `below`: after the two columns, before actions and history.
   */
  readonly place?: 'aside' | 'address' | 'below';
}

export type OrderRecord = Awaited<ReturnType<typeof readOrderRecord>>;

/** Returns the lines of these orders by order id. Product names are in the first locale of the shop. */
export async function findAdminLines(
  { checkout, config }: RequestContext,
  orders: readonly Order[],
): Promise<ReadonlyMap<string, readonly OrderLine[]>> {
  return findTranslatedLines(checkout.db.queries, orders, config.locales[0]);
}

/** Reads all stored data of an order. */
export async function readOrderRecord(context: RequestContext, order: Order, refused: RefusedForm | undefined) {
  const { checkout } = context;
  const { queries } = checkout.db;
  const lines = await findAdminLines(context, [order]);
  const attempts = await findAttempts(queries, order.id);
  const isSecondPayment = order.reviewReason === 'second_payment';
  return {
    order,
    attempts,
    refused,
    lines: lines.get(order.id) ?? [],
    events: await findHistory(queries, order.id),
    fulfillment: await findFulfillment(queries, order.id),
    /** Number of the paid order for the same products. */
    otherPaidOrder: isSecondPayment ? await findOtherPaidOrder(queries, order) : undefined,
    refunds: await findRefunds(queries, order.id),
    refunded: (await findRefundedOrders(queries, [order])).get(order.id),
    isRefundable: await checkout.payments.refunds.isPossible(order),
    now: checkout.clock.now(),
  };
}

/** Returns a field with its typed value, or with the stored one. Card numbers are masked. */
export function typedField(refused: ShownForm | undefined, name: string, stored = '') {
  const value = refused?.typed[name] ?? stored;
  return {
    value: holdsCardNumber(value) ? maskCardNumbers(value) : value,
    error: refused?.errors.find(({ field }) => field === name)?.message,
  };
}

/** Returns the values that are not empty, with their labels. */
export function factList<Name extends string>(
  values: Readonly<Record<Name, string>>,
  labelOf: (name: Name) => string,
): readonly { readonly label: string; readonly value: string }[] {
  const names = Object.keys(values) as Name[];
  return names.filter((name) => values[name] !== '').map((name) => ({ label: labelOf(name), value: values[name] }));
}
