import { NOT_NEEDED } from '@tianguis/payments';
import { findAttempt, findRefunds, lastPartOf, paymentIdsOf } from '@tianguis/payments/back-office';
import { isFullyRefunded } from '@tianguis/payments/rules';
import type { I18n } from '../../locales/i18n.js';
import type { Content, SendToCustomer } from '../../mail/mails.js';
import type { CheckoutContext, JobHandler } from '../../shop/checkout-context.js';
import { findOrderLines, type Order } from '../../tables/orders.js';
import { onRefunded, type RefundedOrder } from './on-refunded.js';

/** Returns the mail about a refund, and the merchant's hook. */
export function refundJobs(sendToCustomer: SendToCustomer): CheckoutContext['jobs'] {
  return {
    async refunded(context, order, { key }) {
      if (order.email === '') return NOT_NEEDED;
      const refunded = await refundedOrder(context, order, key);
      return sendToCustomer(order, key, (i18n) => refundMail(refunded, i18n));
    },
    on_refunded: refundHook(onRefunded),
  };
}

/** Returns the job of the merchant's hook. */
export function refundHook(hook: typeof onRefunded): JobHandler {
  return async (context, order, { key, signal }) => hook(await refundedOrder(context, order, key), signal);
}

async function refundedOrder({ db }: CheckoutContext, order: Order, key: string): Promise<RefundedOrder> {
  const { queries } = db;
  const refunds = await findRefunds(queries, order.id);
  const refund = refunds.find(({ id }) => id === lastPartOf(key));
  const attempt = refund && (await findAttempt(queries, refund.attemptId));
  if (!refund || !attempt) throw new Error('an outbox job without its refund');
  return {
    key,
    order,
    lines: await findOrderLines(queries, order.id),
    refund,
    payment: paymentIdsOf(attempt),
    isPaymentOfOrder: order.paidAttemptId === attempt.id,
    isFull: isFullyRefunded(attempt, refunds),
  };
}

function refundMail({ order, refund, payment, isPaymentOfOrder, isFull }: RefundedOrder, { t, money }: I18n): Content {
  const { number, firstName } = order;
  const returned = t('refunds.mail.returned', { number, amount: money(refund.amount) });
  const explained = !isPaymentOfOrder ? 'extra' : isFull ? 'full' : 'partial';
  return {
    subject: t('refunds.mail.subject', { number }),
    preview: returned,
    heading: t('refunds.mail.heading', { name: firstName }),
    // An order that was never paid needs no explanation: its page shows that it is closed.
    paragraphs: [
      returned,
      ...(order.state === 'paid' ? [t(`refunds.mail.${explained}`)] : []),
      ...(payment.flow === 'outside' ? [] : [t('refunds.mail.when')]),
    ],
    closing: t('refunds.mail.closing'),
  };
}
