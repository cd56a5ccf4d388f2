/** The mail with the links of a mailbox's orders. */

import { findRefundedOrders } from '@tianguis/payments/back-office';
import type { I18n } from '../../locales/i18n.js';
import type { MailFact } from '../../mail/mail-template.js';
import type { Content } from '../../mail/mails.js';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import type { Db } from '../../tables/database.js';
import type { Order } from '../../tables/orders.js';
import { searchOrders } from '../../tables/search-orders.js';
import { orderPath, paths } from '../../web/paths.js';

/** The mail has at most this many orders. */
const LISTED_ORDERS = 10;

interface ListedOrder {
  readonly order: Order;
  /** Absent: no money was returned as a whole. A payment that was taken back leaves a closed order. */
  readonly ended?: 'refunded' | 'cancelled' | undefined;
}

/** Returns the newest orders of the address. Paid ones come before all others, so that unpaid ones of an attacker hide none. */
export async function findListedOrders(queries: Db, email: string): Promise<readonly ListedOrder[]> {
  const paid = await searchOrders(queries, { filter: { email, state: 'paid' }, limit: LISTED_ORDERS });
  const newest = await searchOrders(queries, { filter: { email }, limit: LISTED_ORDERS });
  const orders = [...paid, ...newest.filter(({ state }) => state !== 'paid')].slice(0, LISTED_ORDERS);
  const refunded = await findRefundedOrders(queries, orders);
  const ends = { full: 'refunded', reversed: 'cancelled', partial: undefined } as const;
  return orders.map((order) => ({ order, ended: ends[refunded.get(order.id) ?? 'partial'] }));
}

export function orderListMail(
  { publicUrl }: Pick<CheckoutContext['config'], 'publicUrl'>,
  listed: readonly ListedOrder[],
  i18n: I18n,
): Content {
  const { t } = i18n;
  const isCut = listed.length === LISTED_ORDERS;
  return {
    subject: t('findOrder.listMail.subject'),
    preview: t('findOrder.listMail.asked'),
    heading: t('findOrder.listMail.heading'),
    paragraphs: [
      t('findOrder.listMail.asked'),
      ...(isCut ? [t('findOrder.listMail.newest', { limit: LISTED_ORDERS })] : []),
    ],
    facts: listed.map((each) => orderFact(publicUrl, each, i18n)),
    link: { label: t('actions.shop'), href: publicUrl + paths.home },
    closing: t('findOrder.listMail.notYou'),
  };
}

function orderFact(publicUrl: string, { order, ended }: ListedOrder, { t, day, money }: I18n): MailFact {
  const { number, state, createdAt, total } = order;
  return {
    label: t('findOrder.listMail.order', { number }),
    lines: [t(`findOrder.states.${ended ?? state}`), day(createdAt), money(total)],
    href: publicUrl + orderPath(order),
  };
}
