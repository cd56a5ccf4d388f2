import { jobKey } from '@tianguis/payments/back-office';
import type { Feature } from '../feature.js';
import { merchantMailJobs } from './merchant-mails.js';
import { queueMerchantMails } from './queue-merchant-mails.js';

/** The mails to `MERCHANT_EMAIL` about orders that are paid or need review. */
export const merchantMails: Feature = {
  name: 'merchant-mails',
  place: 40,
  orderJobKeys: (_queries, orderId) => [jobKey('merchant_paid', orderId)],
  orderChanged: queueMerchantMails,
  shopSettings: [
    {
      name: 'merchant-mails.paid',
      kind: 'switch',
      label: (t) => t('merchantMails.setting'),
      hint: (t, { merchantEmail }) =>
        merchantEmail === undefined
          ? t('merchantMails.noAddress')
          : t('merchantMails.sentTo', { email: merchantEmail }),
      valueOf: ({ mailsPaidOrders }) => mailsPaidOrders,
      toConfig: (mailsPaidOrders) => ({ mailsPaidOrders }),
    },
  ],
  jobs: (_sendToCustomer, sendToMerchant) => merchantMailJobs(sendToMerchant),
};
