import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  link: 'Evidence for a dispute',
  linkHint: 'Everything stored about this order, to print and send to your bank or to the gateway.',
  title: 'Evidence of order {{number}}',
  back: 'Back to the order',
  printedAt: 'Printed',
  merchant: 'Seller',
  customer: 'Customer',
  bank: 'Bank verification (3D Secure)',
  banks: {
    none: 'The gateway did not ask for bank verification.',
    requested: 'The gateway sent the customer to the bank’s page.',
    returned: 'The customer returned from the bank’s page on {{at}}.',
    hosted: 'The payment was made on the gateway’s page. Ask the gateway for the outcome.',
  },
  delivery: 'Delivery',
  carrier: 'Carrier',
  trackingNumber: 'Tracking number',
  changedAt: 'Last delivery update',
  mails: 'Emails sent to the customer',
  noMails: 'No emails were sent.',
  refunds: 'Refunds',
};
