import { NOT_NEEDED } from '@tianguis/payments';
import { lastPartOf } from '@tianguis/payments/back-office';
import { addressLines } from '../../locales/address.js';
import type { I18n } from '../../locales/i18n.js';
import type { Content, SendToCustomer, SendToMerchant } from '../../mail/mails.js';
import type { CheckoutContext, OrderJob } from '../../shop/checkout-context.js';
import type { Address } from '../../shop/rules/contact.js';
import type { Order } from '../../tables/orders.js';
import { findFormerAddresses } from './repository.js';

/** Input of the mails about a changed delivery address. */
interface AddressChange extends OrderJob {
  readonly before: Address;
  readonly after: Address;
  /** Name of the admin user. */
  readonly by: string;
}

/** Returns the jobs that mail customer and merchant a changed delivery address. */
export function addressJobs(sendToCustomer: SendToCustomer, sendToMerchant: SendToMerchant): CheckoutContext['jobs'] {
  return {
    async address_changed(context, order, { key }) {
      const change = await addressChange(context, order, key);
      return change ? sendToCustomer(order, key, (i18n) => addressChanged(change, i18n)) : NOT_NEEDED;
    },
    async merchant_address_changed(context, order, { key }) {
      const change = await addressChange(context, order, key);
      if (!change) return NOT_NEEDED;
      return sendToMerchant(order, key, (i18n) =>
        addressChanged(change, i18n, i18n.t('addressChanges.mail.by', { by: change.by })),
      );
    },
  };
}

/** `undefined`: the personal data of the order were erased. A later change stored the address of this one. */
async function addressChange({ db }: CheckoutContext, order: Order, key: string): Promise<AddressChange | undefined> {
  const former = await findFormerAddresses(db.queries, order.id);
  const at = former.findIndex(({ id }) => id === Number(lastPartOf(key)));
  const change = former[at];
  return change && { key, order, before: change.address, after: former[at + 1]?.address ?? order, by: change.by };
}

/** The customer reads whether the new address is right. The receipt has the former one already. */
function addressChanged({ order, before, after }: AddressChange, { t }: I18n, ...further: readonly string[]): Content {
  const heading = t('addressChanges.mail.heading', { number: order.number });
  return {
    subject: heading,
    preview: heading,
    heading,
    paragraphs: [
      ...further,
      t('addressChanges.mail.before', { address: addressLines(t, before).join(', ') }),
      t('addressChanges.mail.after', { address: addressLines(t, after).join(', ') }),
    ],
    closing: t('addressChanges.mail.closing'),
  };
}
