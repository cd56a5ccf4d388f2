import { NOT_NEEDED } from '@tianguis/payments';
import { findRemainders, lastPartOf } from '@tianguis/payments/back-office';
import type { Content, SendToCustomer } from '../../mail/mails.js';
import type { CheckoutContext, JobHandler } from '../../shop/checkout-context.js';
import { paidOrder } from '../../shop/shop-jobs.js';
import { FILE_TYPES } from './invoice-file.js';
import { createInvoiceLink } from './invoice-link.js';
import { onInvoiceRequested } from './on-invoice-requested.js';
import { invoicePath } from './paths.js';
import { findInvoiceRequest, invoiceJobKey, readInvoiceFiles } from './repository.js';

/** Returns the mails with a link to the invoice form and about stored data, and the merchant's hook. */
export function invoiceJobs(sendToCustomer: SendToCustomer): CheckoutContext['jobs'] {
  return {
    async invoice_link({ db, clock, config }, order, { key }) {
      if (order.email === '') return NOT_NEEDED;
      const secret = await createInvoiceLink(db.queries, order.id, clock.now());
      const href = `${config.publicUrl}${invoicePath(order)}?link=${secret}`;
      return sendToCustomer(order, key, ({ t }) => ({
        subject: t('invoices.linkMail.subject', { number: order.number }),
        preview: t('invoices.linkMail.asked'),
        heading: t('invoices.linkMail.heading', { number: order.number }),
        paragraphs: [t('invoices.linkMail.asked')],
        link: { label: t('invoices.linkMail.link'), href },
        closing: t('invoices.linkMail.notYou'),
      }));
    },
    async invoice_changed(_context, order, { key }) {
      if (order.email === '') return NOT_NEEDED;
      const what = lastPartOf(key) === '1' ? 'received' : 'replaced';
      // Without the data: it may be that of another person.
      return sendToCustomer(order, key, ({ t }) =>
        notice(
          t(`invoices.changedMail.${what}`, { number: order.number }),
          t('invoices.changedMail.what'),
          t('invoices.changedMail.notYou'),
        ),
      );
    },
    // An erasure may have removed request and files.
    async invoice_issued({ db }, order, { key }) {
      const request = await findInvoiceRequest(db.queries, order.id);
      const files = await readInvoiceFiles(db.queries, order.id);
      if (!request || files.length === 0) return NOT_NEEDED;
      const attachments = files.map(({ kind, bytes: content }) => ({
        filename: `CFDI-${order.number}.${kind}`,
        contentType: FILE_TYPES[kind].type,
        content,
      }));
      return sendToCustomer({ ...order, email: request.email }, key, ({ t }) => {
        const subject = t('invoices.issuedMail.subject', { number: order.number });
        return { ...notice(subject, t('invoices.issuedMail.attached'), t('invoices.issuedMail.wrong')), attachments };
      });
    },
    on_invoice_requested: invoiceHook(onInvoiceRequested),
  };
}

/**
 * Returns the job of the merchant's hook. The customer may have corrected the request, retention removed it, or the order was
 * refunded.
 */
export function invoiceHook(hook: typeof onInvoiceRequested): JobHandler {
  return async (context, order, { key, signal }) => {
    const request = await findInvoiceRequest(context.db.queries, order.id);
    const remainder = (await findRemainders(context.db.queries, [order])).get(order.id) ?? order.total;
    if (!request || key !== invoiceJobKey(request) || remainder === 0) return NOT_NEEDED;
    return hook({ ...(await paidOrder(context, order, key)), request, remainder }, signal);
  };
}

/** A mail whose subject says all. */
function notice(subject: string, paragraph: string, closing: string): Content {
  return { subject, preview: subject, heading: subject, paragraphs: [paragraph], closing };
}
