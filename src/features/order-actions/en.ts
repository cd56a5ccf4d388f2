import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  details: { cancelReason: 'Reason: {{value}}.' },
  resend: 'Send the receipt again',
  cancel: 'Cancel the order',
  cancelHint:
    'The payment link stops working, the reserved products are released, and the customer sees that the order was closed. If the customer still pays on an open payment page, the order becomes paid. If it was paid outside and you do not count it as a sale, take the pieces from stock yourself.',
  cancelReason: 'Reason',
  chooseReason: 'Choose a reason',
  cancelReasonProblem: 'Choose a reason.',
  cancelText: 'Details',
  cancelTextHint: 'Required with “Other reason”. It stays in the history. Enter no personal data.',
  cancelTextProblem: 'Enter the details on one line, with 1 to {{limit}} characters.',
  words: {
    cancelReason: {
      not_wanted: 'The customer no longer wants it',
      paid_outside: 'Paid outside, not counted as a sale',
      price_or_stock: 'Price or stock changed',
      other: 'Other reason',
    },
  },
  events: { receipt_resent: 'An admin user sent the receipt again' },
  results: { receipt_queued: 'The receipt will be sent again in a moment.', cancelled: 'The order was canceled.' },
  refusals: {
    receipt_waiting: 'The receipt is already waiting to be sent, or it was sent five times in a day.',
    no_receipt: 'This order has no receipt to send.',
    answer_awaited: 'A payment is being started or has no known outcome. Try again in a minute.',
    not_cancellable: 'This order cannot be canceled in its current state.',
  },
};
