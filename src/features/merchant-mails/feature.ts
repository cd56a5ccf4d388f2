import type { Feature } from '../feature.js';
import { merchantMailJobs } from './merchant-mails.js';

/** The mails to `MERCHANT_EMAIL` about orders that are paid or need review. */
export const merchantMails: Feature = {
  name: 'merchant-mails',
  place: 40,
  jobs: (_sendToCustomer, sendToMerchant) => merchantMailJobs(sendToMerchant),
};
