/** The payment link of an unpaid order: its section on the order page, its mail, and its message. */

import { NOT_NEEDED } from '@tianguis/payments';
import { isBlockedByReplaced, mayCancel } from '@tianguis/payments/back-office';
import { isPayableAt } from '@tianguis/payments/rules';
import { whatsAppLink } from '../../admin/order/customer-card.js';
import { i18nIn } from '../../locales/i18n.js';
import type { SendToCustomer } from '../../mail/mails.js';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import { type OrderRequest, requeueMail } from '../../shop/order-requests.js';
import { findOrderLines, type Order } from '../../tables/orders.js';
import { pathTo } from '../../web/paths.js';
import type { AdminAccess, RequestContext } from '../../web/request-context.js';
import { payLinkPath } from '../pay-link/paths.js';
import { merchantOrdersPaths } from './paths.js';

/** Builds the model of src/features/merchant-orders/views/payment-link.ejs. Absent without a link that pays, and for users who are no managers. */
export async function adminPaymentLink(context: RequestContext, order: Order, { can }: AdminAccess) {
  const { clock, db } = context.checkout;
  const isOpen = isPayableAt(order, clock.now()) && can(`POST ${merchantOrdersPaths.paymentLink}`);
  if (!isOpen || (await isBlockedByReplaced(db.queries, order.id))) return undefined;
  return {
    url: linkOf(context, order),
    until: context.moment(order.payableUntil ?? 0),
    mayMail: order.email !== '',
    whatsApp: whatsAppLink(order.phone, messageOf(context, order)),
    action: pathTo(merchantOrdersPaths.paymentLink, order),
    version: String(order.version),
    mayEnd: mayCancel(order) && can('POST /admin/orders/:number/cancel'),
  };
}

function linkOf({ config }: { readonly config: Pick<CheckoutContext['config'], 'publicUrl'> }, order: Order): string {
  return config.publicUrl + payLinkPath(order);
}

/** The shop sends nothing itself: the user opens a link with this text. It has no personal data. */
function messageOf(context: RequestContext, order: Order): string {
  const { t, money } = i18nIn(context.translations, order.locale);
  const { number, total } = order;
  return t('merchantOrders.link.message', {
    shop: t('site.name'),
    number,
    total: money(total),
    link: linkOf(context, order),
  });
}

const RESULTS = {
  queued: 'link_queued',
  waiting: 'link_waiting',
  changed: 'changed',
  not_allowed: 'link_closed',
} as const;

/** Queues the mail with the payment link. `link_closed`: the order cannot be paid from its link, or has no address. */
export async function queuePaymentLink(
  context: CheckoutContext,
  request: OrderRequest,
): Promise<(typeof RESULTS)[keyof typeof RESULTS]> {
  const mail = { job: 'payment_link', kind: 'payment_link_queued', isAllowed: mayMail } as const;
  return RESULTS[await requeueMail(context, request, mail)];
}

function mayMail(order: Order, at: number): boolean {
  return order.email !== '' && isPayableAt(order, at);
}

/** Returns the mail with the payment link. It is not sent if the link ended meanwhile, or pays nothing any more. */
export function paymentLinkJobs(sendToCustomer: SendToCustomer): CheckoutContext['jobs'] {
  return {
    async payment_link({ db, clock, config }, order, { key, createdAt }) {
      const { number, firstName, total, payableUntil } = order;
      if (payableUntil === null || !mayMail(order, clock.now())) return NOT_NEEDED;
      if (await isBlockedByReplaced(db.queries, order.id)) return NOT_NEEDED;
      const lines = await findOrderLines(db.queries, order.id);
      // Each mail has its own Message-ID, because mail programs hide duplicates.
      return sendToCustomer(order, `${key}:${createdAt}`, ({ t, money, moment }) => {
        const subject = t('merchantOrders.link.subject', { number, shop: t('site.name') });
        return {
          subject,
          preview: subject,
          heading: t('merchantOrders.link.heading', { name: firstName }),
          paragraphs: [
            t('merchantOrders.link.ready', { number, total: money(total) }),
            t('payLink.until', { time: moment(payableUntil) }),
          ],
          lines,
          link: { label: t('merchantOrders.link.pay'), href: linkOf({ config }, order) },
          closing: t('merchantOrders.link.closing'),
        };
      });
    },
  };
}
