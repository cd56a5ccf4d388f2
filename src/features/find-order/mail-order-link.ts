import { NOT_NEEDED } from '@tianguis/payments';
import { type QueuedJob, queueJob } from '@tianguis/payments/back-office';
import type { I18n } from '../../locales/i18n.js';
import type { Content, SendToCustomer } from '../../mail/mails.js';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import { mailboxKey } from '../../tables/client-limits.js';
import type { Db } from '../../tables/database.js';
import { findOrderByNumber, type Order } from '../../tables/orders.js';
import { searchOrders } from '../../tables/search-orders.js';
import { findListedOrders, orderListMail } from './order-list-mail.js';

/** At most one mail per order in each 10 min window, and one with all links of the mailbox. */
const WINDOW_MS = 10 * 60 * 1000;

/** What the customer typed. `number` is absent: the customer asks for all orders. */
export interface AskedOrders {
  readonly number: string | undefined;
  readonly email: string;
}

/** A mail to be queued, and what its number in a day is counted for. */
interface OrderLinkMail {
  readonly mail: QueuedJob;
  readonly countedFor: string;
}

/**
 * Returns the mail with the links if the address has such orders. Its key is the same for all requests of one window. Mails
 * count for the mailbox, but those of a paid order for that order: an attacker can place unpaid ones with the address.
 */
export async function findOrderLinkMail(
  { db, clock }: CheckoutContext,
  { number, email }: AskedOrders,
): Promise<OrderLinkMail | undefined> {
  const { queries } = db;
  const order = number === undefined ? await findLatestOf(queries, email) : await findOrderByNumber(queries, number);
  if (order?.email.toLowerCase() !== email.toLowerCase()) return undefined;
  const at = clock.now();
  const job = number === undefined ? 'order_list' : 'order_link';
  const key = `${job}:${order.id}:${Math.floor(at / WINDOW_MS)}`;
  return {
    mail: { key, orderId: order.id, job, at },
    countedFor: order.paidAt === null ? mailboxKey(order.email) : order.id,
  };
}

/** Returns the newest paid order of the address, or else the newest one. */
async function findLatestOf(queries: Db, email: string): Promise<Order | undefined> {
  const [paid] = await searchOrders(queries, { filter: { email, state: 'paid' }, limit: 1 });
  return paid ?? (await searchOrders(queries, { filter: { email }, limit: 1 }))[0];
}

/** Queues the mail. Does nothing if it is queued or was sent. */
export function mailOrderLink({ db }: CheckoutContext, mail: QueuedJob): Promise<void> {
  return queueJob(db.queries, mail);
}

/** Returns the jobs that send the mails to the order's own address. */
export function orderLinkJobs(sendToCustomer: SendToCustomer): CheckoutContext['jobs'] {
  return {
    async order_link(_context, order, { key }) {
      return order.email === '' ? NOT_NEEDED : sendToCustomer(order, key, (i18n) => orderLinkMail(order, i18n));
    },
    async order_list(context, order, { key }) {
      if (order.email === '') return NOT_NEEDED;
      const listed = await findListedOrders(context.db.queries, order.email);
      return sendToCustomer(order, key, (i18n) => orderListMail(context.config, listed, i18n));
    },
  };
}

function orderLinkMail({ number }: Order, { t }: I18n): Content {
  return {
    subject: t('findOrder.mail.subject', { number }),
    preview: t('findOrder.mail.asked'),
    heading: t('findOrder.mail.heading', { number }),
    paragraphs: [t('findOrder.mail.asked')],
    closing: t('findOrder.mail.notYou'),
  };
}
