import { NOT_NEEDED } from '@tianguis/payments';
import { lastPartOf } from '@tianguis/payments/back-office';
import { centavos } from '@tianguis/payments/rules';
import type { Content, SendToCustomer } from '../../mail/mails.js';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import { findFormerContacts } from './repository.js';

/** Returns the jobs that mail a corrected contact: to the new address, and to the one that was replaced. */
export function contactJobs(sendToCustomer: SendToCustomer): CheckoutContext['jobs'] {
  return {
    async contact_changed({ db }, order, { key }) {
      // The mail of the last correction says the same.
      const isLast = (await findFormerContacts(db.queries, order.id)).at(-1)?.id === Number(lastPartOf(key));
      if (order.email === '' || !isLast) return NOT_NEEDED;
      return sendToCustomer(order, key, ({ t }): Content => {
        const heading = t('contactChanges.mail.heading', { number: order.number });
        const paragraphs = [t('contactChanges.mail.changed'), t('contactChanges.mail.follow')];
        return { subject: heading, preview: heading, heading, paragraphs, closing: t('contactChanges.mail.closing') };
      });
    },
    // It may be the address of another person, so it gets neither the link nor data of the order.
    async contact_removed({ db, config }, order, { key }) {
      const former = await findFormerContacts(db.queries, order.id);
      const email = former.find(({ id }) => id === Number(lastPartOf(key)))?.contact.email ?? '';
      if (email === '' || email === order.email) return NOT_NEEDED;
      return sendToCustomer({ ...order, email }, key, ({ t }): Content => {
        const heading = t('contactChanges.mail.removedHeading', { number: order.number });
        const link = { label: t('contactChanges.mail.shop'), href: config.publicUrl };
        const paragraphs = [t('contactChanges.mail.removed')];
        const closing = t('contactChanges.mail.closing');
        return {
          subject: heading,
          preview: heading,
          heading,
          paragraphs,
          closing,
          link,
          total: centavos(0),
          discountCode: null,
        };
      });
    },
  };
}
