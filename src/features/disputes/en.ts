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
  bank: 'Verification by the bank (3D Secure)',
  banks: {
    none: 'The gateway asked for no verification by the bank.',
    requested: 'The gateway sent the customer to the page of the bank.',
    returned: 'The customer returned from the page of the bank on {{at}}.',
    hosted: 'The payment was made on the page of the gateway. Ask the gateway for the outcome.',
  },
  delivery: 'Delivery',
  carrier: 'Carrier',
  trackingNumber: 'Tracking number',
  changedAt: 'Last change of the delivery',
  mails: 'Emails sent to the customer',
  noMails: 'No email was sent.',
  refunds: 'Refunds',
};
