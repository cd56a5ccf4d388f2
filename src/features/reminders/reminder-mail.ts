import { NOT_NEEDED } from '@tianguis/payments';
import { PaymentError } from '@tianguis/payments/rules';
import type { I18n } from '../../locales/i18n.js';
import type { Content, SendToCustomer } from '../../mail/mails.js';
import type { CheckoutContext, JobHandler } from '../../shop/checkout-context.js';
import type { OrderLine } from '../../shop/rules/cart.js';
import { findOrderLines, type Order } from '../../tables/orders.js';
import { payLinkPath } from '../pay-link/paths.js';
import { readDecision } from './send-reminder.js';

/** Maximum age of the lookup before a mail that says that no payment was received. */
const FRESH_MS = 5 * 60_000;
const HOUR_MS = 60 * 60_000;

/** Returns the job that mails the reminder. It sends nothing if the order needs none any more. */
export function reminderMail(sendToCustomer: SendToCustomer): JobHandler {
  return async (context, order, { key, createdAt }) => {
    const { db, clock, config } = context;
    const unpaid = await findUnpaid(context, order, createdAt);
    if (!unpaid) return NOT_NEEDED;
    const lines = await findOrderLines(db.queries, order.id);
    const href = config.publicUrl + payLinkPath(order);
    return sendToCustomer(unpaid, key, (i18n) => ({
      ...reminder(unpaid, lines, clock.now(), i18n),
      link: { label: i18n.t('reminders.link'), href },
    }));
  };
}

/**
 * Returns the order if it still gets its reminder. A mail that waited for the mail server needs another lookup.
 * Throws `PaymentError` `busy` if that has no answer.
 */
async function findUnpaid(context: CheckoutContext, order: Order, queuedAt: number): Promise<Order | undefined> {
  const { db, clock, config } = context;
  const isFresh = clock.now() - queuedAt < FRESH_MS;
  const verified = isFresh ? undefined : await context.payments.verify(order.id, 'worker');
  const present = verified?.order ?? order;
  const { reminderMs = 0 } = config;
  const input = { lookups: verified?.lookups, reminderMs, at: clock.now() };
  const { kind } = await readDecision(db.queries, context, present, input);
  if (kind === 'no_answer') throw new PaymentError('busy', { orderId: order.id });
  return kind === 'send' || kind === 'look_up' ? present : undefined;
}

function reminder(
  { number, total, payableUntil }: Order,
  lines: readonly OrderLine[],
  at: number,
  { t, money, moment }: I18n,
): Content {
  const until = payableUntil ?? at;
  const hours = Math.floor((until - at) / HOUR_MS);
  const days = Math.floor(hours / 24);
  const left = days > 1 ? t('reminders.days', { count: days }) : t('reminders.hours', { count: hours });
  const unpaid = t('reminders.unpaid', { number, total: money(total) });
  return {
    subject: t('reminders.subject', { number }),
    preview: unpaid,
    heading: t('reminders.heading', { number }),
    paragraphs: [unpaid, t('reminders.until', { left, time: moment(until) }), t('reminders.paid')],
    lines,
    closing: t('reminders.closing'),
  };
}
