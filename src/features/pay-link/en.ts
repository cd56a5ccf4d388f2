import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  title: 'Pay an order',
  summary: 'Order {{number}}',
  until: 'You can pay it at this price until: {{time}}',
  payer: 'Who pays',
  payerHint: 'Only the payment service gets this data. The receipt goes to the email address of the order.',
  emailHint: 'The payment service needs an email address. Only the payment service receives it.',
  fillCart: 'Add what is left to a new cart',
  newer: 'View the newer order',
  order: 'View the order',
  cancel: 'I no longer want this order',
  cancelText:
    'The link will stop working and we release the items. If you have paid, do not cancel: wait for the confirmation.',
  cancelConfirm: 'Cancel the order',
  states: {
    open: { heading: 'Pay your order', text: 'Order {{number}}, total {{total}}. Check it and choose how to pay.' },
    paid: { heading: 'This order is already paid', text: 'There is nothing more to pay.' },
    waiting: {
      heading: 'We are confirming a payment',
      text: 'This order may already be paid. Do not pay again: the order page says when it is confirmed.',
    },
    replaced: {
      heading: 'A newer order replaced this one',
      text: 'The cart changed after this order was placed. Pay the newer order.',
    },
    ended: {
      heading: 'This order can no longer be paid',
      text: 'Its time to pay ran out, or it was canceled. You can place a new order in the shop.',
    },
    soldOut: {
      heading: 'Some items are sold out',
      text: 'You can buy what is left with a new order.',
    },
    closed: {
      heading: 'The shop is closed for now',
      text: 'The notice above says when you can pay again.',
    },
    codeEnded: {
      heading: 'The code {{code}} is no longer available',
      text: 'You can buy the same items without the code, with a new order.',
    },
  },
};
