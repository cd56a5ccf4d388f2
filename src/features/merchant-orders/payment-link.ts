/** The payment link of an unpaid order: its section on the order page, its mail, and its message. */
import type { CheckoutContext } from '../../checkout/context.js';
import { mayCancel, type OrderRequest, requeueMail } from '../../checkout/order-actions.js';
import { findOrderLines, type Order } from '../../db/orders.js';
import { isPayableAt } from '../../domain/order.js';
import { i18nIn } from '../../locales/i18n.js';
import type { SendToCustomer } from '../../mail/mails.js';
import { adminOrderPath, payLinkPath } from '../../web/paths.js';
import type { AdminAccess, RequestContext } from '../../web/request-context.js';

/** Country code of the phone numbers of orders. */
const COUNTRY_CODE = '52';

/**
 * Builds the model of views/partials/admin-payment-link.ejs: the note for all users, and the link for managers. Absent if
 * there is nothing to show. The order page itself shows the phone only with a delivery address.
 */
export function adminPaymentLink(context: RequestContext, order: Order, { can }: AdminAccess) {
  const { note, payableUntil } = order;
  const phone = order.street === '' ? order.phone : '';
  const isOpen = isPayableAt(order, context.checkout.clock.now()) && can('POST /admin/orders/:number/link');
  const link = isOpen && {
    url: linkOf(context, order),
    until: context.moment(payableUntil ?? 0),
    whatsApp: whatsAppLink(context, order),
    action: `${adminOrderPath(order)}/link`,
    version: String(order.version),
    mayEnd: mayCancel(order),
  };
  return link || note !== '' || phone !== '' ? { link, note, phone } : undefined;
}

function linkOf({ config }: { readonly config: Pick<CheckoutContext['config'], 'publicUrl'> }, order: Order): string {
  return config.publicUrl + payLinkPath(order);
}

/** The shop sends nothing itself: the user opens this link. The text has no personal data. */
function whatsAppLink(context: RequestContext, order: Order): string {
  const { t, money } = i18nIn(context.translations, order.locale);
  const { number, total, phone } = order;
  const values = { shop: t('site.name'), number, total: money(total), link: linkOf(context, order) };
  const receiver = phone === '' ? '' : `${COUNTRY_CODE}${phone}`;
  return `https://wa.me/${receiver}?text=${encodeURIComponent(t('paymentLink.message', values))}`;
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

/** Returns the mail with the payment link. It is not sent if the link ended meanwhile. */
export function paymentLinkJobs(sendToCustomer: SendToCustomer): CheckoutContext['jobs'] {
  return {
    async payment_link({ db, clock, config }, order, { key, createdAt }) {
      const { number, firstName, total, payableUntil } = order;
      if (payableUntil === null || !mayMail(order, clock.now())) return;
      const lines = await findOrderLines(db.queries, order.id);
      // Each mail has its own Message-ID, because mail programs hide duplicates.
      await sendToCustomer(order, `${key}:${createdAt}`, ({ t, money, moment }) => {
        const subject = t('paymentLink.subject', { number, shop: t('site.name') });
        return {
          subject,
          preview: subject,
          heading: t('paymentLink.heading', { name: firstName }),
          paragraphs: [
            t('paymentLink.ready', { number, total: money(total) }),
            t('payLink.until', { time: moment(payableUntil) }),
          ],
          lines,
          link: { label: t('paymentLink.pay'), href: linkOf({ config }, order) },
          closing: t('paymentLink.closing'),
        };
      });
    },
  };
}
