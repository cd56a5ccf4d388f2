import { mailboxKey } from '../../db/client-limits.js';
import { findOrderByNumber, type Order } from '../../db/orders.js';
import type { I18n } from '../../locales/i18n.js';
import type { Content, SendToCustomer } from '../../mail/mails.js';
import { type QueuedJob, queueJob } from '../../payments/index.js';
import type { CheckoutContext } from '../../shop/context.js';

/** At most one mail per order in each 10 min window. */
const WINDOW_MS = 10 * 60 * 1000;

/** A mail to be queued, and what its number in a day is counted for. */
interface OrderLinkMail {
  readonly mail: QueuedJob;
  readonly countedFor: string;
}

/**
 * Returns the mail with the order's link if the address matches the order. Its key is the same for all requests of one window.
 * Mails count for the mailbox, but those of a paid order for that order: an attacker can place unpaid ones with the address.
 */
export async function findOrderLinkMail(
  { db, clock }: CheckoutContext,
  asked: { readonly number: string; readonly email: string },
): Promise<OrderLinkMail | undefined> {
  const order = await findOrderByNumber(db.queries, asked.number);
  if (order?.email.toLowerCase() !== asked.email.toLowerCase()) return undefined;
  const at = clock.now();
  const key = `order_link:${order.id}:${Math.floor(at / WINDOW_MS)}`;
  return {
    mail: { key, orderId: order.id, job: 'order_link', at },
    countedFor: order.paidAt === null ? mailboxKey(order.email) : order.id,
  };
}

/** Queues the mail. Does nothing if it is queued or was sent. */
export function mailOrderLink({ db }: CheckoutContext, mail: QueuedJob): Promise<void> {
  return queueJob(db.queries, mail);
}

/** Returns the job that sends the mail to the order's own address. */
export function orderLinkJob(sendToCustomer: SendToCustomer): CheckoutContext['jobs'] {
  return {
    async order_link(_context, order, { key }) {
      if (order.email !== '') await sendToCustomer(order, key, (i18n) => orderLinkMail(order, i18n));
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
