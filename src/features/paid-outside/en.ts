import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  title: 'Payment outside the gateway',
  record: 'Record a payment in cash, by transfer or by other means',
  recordHint:
    'The order becomes paid: its products are taken from stock, the customer gets a receipt, and you can deliver it. First, the shop asks the gateway whether a payment is in progress.',
  method: 'Form of payment',
  chooseMethod: 'Choose a form of payment',
  methodProblem: 'Choose the form of payment.',
  day: 'Day of the payment',
  dayProblem: 'Choose a day from the order date to today.',
  dayProblemFrom: 'Choose a day from {{first}} to today.',
  note: 'Note (optional)',
  noteHint: 'Only users of this back office see it. For example, the tracking key of the transfer.',
  textProblem: 'Use one line with at most {{limit}} characters.',
  submit: 'Record the payment',
  reverse: 'Reverse this payment',
  reverseHint:
    'Use it if the payment did not happen, or if you returned all the money. The order is not delivered and cannot be paid again. The sale is subtracted from today’s sales. The customer gets no email.',
  reverseLink: 'Reverse the payment outside the gateway',
  reason: 'Reason',
  stock: 'Do the products return to stock?',
  stockProblem: 'Choose whether the products return to stock.',
  yes: 'Yes',
  no: 'No',
  why: {
    open: 'The customer may still be paying at the gateway. From {{until}} on you can record a payment here.',
    other_order: 'Another order for the same products is in progress, in review or paid: {{number}}. Check it first.',
    paid: 'The order is already paid.',
    in_review: 'Decide on the payment in review before you record one here.',
    answer_awaited: 'A payment is being started, or its outcome is unknown. Try again in a minute.',
    other_environment: 'A payment for this order was started with another gateway account and has not ended.',
    unanswered: 'The gateway did not confirm that the customer is not paying. Try again in a few minutes.',
  },
  events: { paid_outside: 'An admin user recorded a payment outside the gateway' },
  details: { method: 'Form of payment (SAT): {{value}}.' },
  results: {
    outside_recorded: 'The payment was recorded, and the order is paid.',
    outside_reversed: 'The payment was reversed. The order is not delivered.',
  },
  refusals: {
    outside_open: 'The customer may still be paying. Nothing was recorded.',
    outside_other_order: 'Another order for the same products is in progress or paid. Nothing was recorded.',
    outside_paid: 'The order is already paid. No other payment was recorded.',
    outside_in_review: 'A payment for this order is in review. Nothing was recorded.',
    outside_answer_awaited: 'A payment is being started, or its outcome is unknown. Nothing was recorded.',
    outside_other_environment: 'A payment for this order cannot be looked up. Nothing was recorded.',
    outside_unanswered: 'The gateway did not confirm that the customer is not paying. Try again in a few minutes.',
    not_reversible: 'This payment cannot be reversed now. See the section Refunds.',
  },
};
