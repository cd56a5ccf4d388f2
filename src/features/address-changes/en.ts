import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  jobs: {
    address_changed: 'Address change email',
    merchant_address_changed: 'Your notification of the changed address',
  },
  correction: 'Correct the address',
  hint: 'The customer sees the corrected address on the order page. The customer and the merchant get an email about the change.',
  former: 'Former addresses',
  replaced: 'Replaced on {{at}} by {{by}}:',
  submit: 'Save the address',
  events: { address_corrected: 'An admin user corrected the delivery address' },
  results: { address_corrected: 'The address was corrected.' },
  refusals: {
    address_unchanged: 'This was already the address. There was nothing to change.',
    address_not_open: 'The address of this order cannot be corrected now. Nothing was saved.',
  },
  mail: {
    heading: 'The delivery address of order {{number}} changed',
    by: 'The user {{by}} changed it in the back office.',
    before: 'Before: {{address}}.',
    after: 'Now: {{address}}.',
    closing: 'If you did not ask for this change, write to us today.',
  },
};
