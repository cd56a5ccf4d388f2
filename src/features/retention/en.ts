import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  details: {
    erased: 'Orders with erased data: {{value}}.',
    review: 'Orders not erased, to review: {{value}}.',
    payment: 'Orders not erased, with an unresolved payment or refund: {{value}}.',
    shipment: 'Orders not erased, to deliver: {{value}}.',
  },
  copy: 'Download the customer’s data',
  copyHint:
    'A JSON file for a customer who asks for their data: all that is stored of the orders with this email address. The history records the download.',
  erase: 'Erase the customer’s data',
  eraseHint:
    'Name, email, phone, address and other personal data are removed from all orders with this email address, or with this phone number if there is none. They cannot be restored. Totals and payments stay. Orders in review, to be delivered, or with an unresolved payment or refund are not erased.',
  eraseConfirmation: 'To confirm, type the order number, the email address or the phone number',
  eraseProblem: 'Type {{number}} or the email address or phone number of the order.',
  events: {
    personal_data_copied: 'An admin user downloaded the personal data',
    personal_data_erased: 'Personal data was erased',
    erasure_requested: 'An admin user erased the customer’s data',
  },
  results: { erased: 'The request was processed.' },
  refusals: { erased_before: 'The data of this order was already erased.' },
};
