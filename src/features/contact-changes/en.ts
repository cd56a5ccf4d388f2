import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  jobs: {
    contact_changed: 'Email about corrected contact details',
    contact_removed: 'Notice to the former email address',
  },
  correction: 'Correct name, email or phone',
  hint: 'The new email address gets a notice with the link of the order. The former one gets a notice without link or data.',
  newLink: 'Give the order a new link',
  newLinkHint:
    'Use it if the former address belongs to another person. The former link stops showing the order. Payments in progress are still confirmed.',
  former: 'Former contact details',
  replaced: 'Replaced on {{at}} by {{by}}:',
  submit: 'Save the contact details',
  events: {
    customer_data_corrected: 'An admin user corrected the customer’s details',
    link_replaced: 'The order has a new link',
  },
  results: { contact_corrected: 'The customer’s details were corrected.' },
  refusals: {
    contact_unchanged: 'These were already the details. There was nothing to change.',
    contact_erased: 'The data of this order was erased. Nothing was saved.',
  },
  mail: {
    heading: 'We corrected your details for order {{number}}',
    changed: 'From now on, emails about this order come to this address.',
    follow: 'You can view the order with the link at any time.',
    removedHeading: 'This address gets no more emails about order {{number}}',
    removed: 'The shop corrected the email address of an order that used this one.',
    shop: 'Go to the shop',
    closing: 'If you did not ask for this change, write to us today.',
  },
};
