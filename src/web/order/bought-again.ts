import { isPayableAt } from '@tianguis/payments/rules';
import type { Response } from 'express';
import { orderIdOf } from '../../shop/order-ownership.js';
import { findBoughtAgain } from '../../tables/bought-again.js';
import type { Order } from '../../tables/orders.js';
import { orderPath } from '../paths.js';
import { contextOf } from '../request-context.js';
import { ownershipMarks, ownsOrder } from '../session.js';

/** Warns that a customer already paid the products of an unpaid order. Empty: there is nothing to say. */
export interface BoughtAgain {
  readonly notices: readonly string[];
  readonly links: readonly { readonly label: string; readonly href: string }[];
}

/** Returns the warning for a session that owns this payable order and those that paid its products. Others learn nothing. */
export async function boughtAgain(res: Response, order: Order): Promise<BoughtAgain> {
  const { t, checkout } = contextOf(res);
  const isOpen = order.state !== 'paid' && isPayableAt(order, checkout.clock.now());
  const ids = isOpen && ownsOrder(res, order) ? ownershipMarks(res).map(orderIdOf) : [];
  const others = await findBoughtAgain(checkout.db.queries, order, { ids, isOwn: (other) => ownsOrder(res, other) });
  const numbers = others.map(({ number }) => number).join(', ');
  return {
    notices: others.length === 0 ? [] : [t('order.boughtAgain', { numbers })],
    links: others.slice(0, 1).map((other) => ({
      label: t('order.boughtAgainLink', { number: other.number }),
      href: orderPath(other),
    })),
  };
}
