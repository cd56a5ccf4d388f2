import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

const states = {
  sending: 'Sending',
  succeeded: 'Refunded',
  pending: 'In progress',
  refused: 'Not made',
  unknown: 'Outcome unknown',
  recorded: 'Recorded',
};

export const en: TextsOf<typeof esMx> = {
  setting: 'Partial refunds',
  settingHint: 'Part of a payment can be returned.',
  csv: 'Refunded',
  cards: {
    open: 'Unresolved refunds',
    openHint:
      'It is not known whether the money was returned, or the gateway is still processing it. Open the order and resolve it.',
  },
  jobs: { refunded: 'Refund email', on_refunded: 'Refund notification to your system (on-refunded)' },
  details: { refund: 'Refund: {{value}}.' },
  events: {
    refund_started: 'An admin user started a refund or recorded a chargeback',
    refund_changed: 'The state of a refund changed',
    refund_repeated: 'An admin user requested a refund again',
    refund_unchanged: 'A refund was checked and did not change',
  },
  title: 'Refunds',
  facts: {
    paid: 'Paid',
    refunded: 'Refunded',
    chargedBack: 'Chargebacks',
    inFlight: 'Unresolved refund',
    left: 'Still refundable',
  },
  ways: { gateway: 'Refund…', record: 'Record a refund made at the gateway…', chargeback: 'Record a chargeback…' },
  recordOutside: 'Record a refund…',
  kinds: {
    refund: 'Refund of {{amount}}',
    chargeback: 'Chargeback of {{amount}}',
    reversal: 'Reversal of the payment outside the gateway, {{amount}}',
  },
  states,
  about: {
    sending: 'We are requesting it from the gateway. Reload the page in a minute.',
    pending:
      'The gateway received the refund and is processing it. It is updated when the gateway notifies us. If it takes several days, find it in the gateway’s dashboard. Do not hand over the order meanwhile.',
    refused: 'Nothing was returned. The gateway’s response has the reason. You can try again.',
    unknown:
      'We requested the refund and got no clear response: the money may have been returned. Find the refund in the gateway’s dashboard before you do anything else. Meanwhile, do not hand over the order or return the money another way.',
  },
  recorded: {
    reason: 'Reason',
    day: 'Day',
    by: 'User',
    at: 'Recorded at',
    gatewayRefundId: 'Gateway’s refund ID',
    gatewayStatus: 'Gateway’s response',
    stock: 'Stock',
  },
  check: 'Check the refund',
  idHint: 'Copy it from the gateway’s dashboard. We look it up there before we accept it.',
  idProblem: 'Enter the ID as the gateway shows it: letters, digits and the characters . _ : -',
  repeat: 'Request it again with the same key',
  repeatHint:
    'Do this only if the refund is not in the gateway’s dashboard. It is sent with the same key, so that the gateway does not refund twice, but the gateway does not guarantee this.',
  seen: 'I looked in the gateway’s dashboard',
  seenHint:
    'Answer only what you saw there. Your answer is recorded in the history and cannot be changed. If you answer that it was not refunded, another refund can be requested.',
  refunded: 'It was refunded',
  notRefunded: 'It was not refunded',
  words: {
    refund: states,
    source: {
      answer: 'Source: response of the gateway.',
      webhook: 'Source: webhook event and lookup.',
      check: 'Source: lookup from the back office.',
      repeat: 'Source: second request with the same key.',
      person: 'Source: answer of an admin user.',
      lease: 'Source: the process stopped before it received the response.',
    },
  },
  form: {
    titles: { gateway: 'Refund a payment', record: 'Record a refund', chargeback: 'Record a chargeback' },
    effects: {
      recordOutside:
        'The shop does not call the gateway: you only record money that you have returned. The customer gets an email.',
      gateway: 'When you confirm, the shop requests this refund from the gateway. It cannot be undone.',
      record:
        'The shop does not call the gateway: you only record a refund that you already made in its dashboard. Payments of the gateway’s page are always refunded there. The customer gets an email.',
      chargeback:
        'The shop does not call the gateway: you only record that the customer’s bank took the money back. The customer gets no email, and the order is no longer delivered.',
    },
    back: 'Back to order {{number}}',
    amount: 'Amount',
    amountHint: 'In pesos, up to {{limit}}. For example 1,099.00.',
    reason: 'Reason',
    reasonHint: 'Only users of this back office see it. Do not enter card data or personal data.',
    day: { record: 'Day on which you made the refund', chargeback: 'Day on which the bank took the money' },
    dayHint: 'Mexico City day.',
    stock: 'Do the products go back to stock?',
    stockHint:
      'All these pieces go back: {{pieces}}. Choose “Yes” only if you have all of them. With “No”, none goes back with another refund.',
    stockStays:
      'No piece goes back to stock: {{pieces}}. An earlier refund of this payment was made without them. If you have any, add it in Products.',
    noPieces: 'The stock of these products is not counted, so it stays the same.',
    yes: 'Yes, they go back to stock',
    no: 'No, the stock stays the same',
    continue: 'Continue',
    type: 'To confirm, enter the amount: {{amount}}',
    submit: {
      gateway: 'Refund {{amount}}',
      record: 'Record the refund of {{amount}}',
      chargeback: 'Record the chargeback of {{amount}}',
    },
    edit: 'Change the details',
    problems: {
      changed:
        'The order changed while you filled in this form, and nothing was refunded or recorded with it. Check the amounts and continue.',
      not_offered: 'This payment cannot be refunded this way.',
      other_key:
        'The payment was made with another API key, and the gateway does not confirm it with the current one. Nothing was refunded. Try again, or refund it in the gateway’s dashboard.',
      no_payment: 'This payment can no longer be refunded.',
      in_flight: 'Another refund of this payment is unresolved.',
      amount: 'Enter an amount above zero and up to {{limit}}, for example 1,099.00.',
      partial: 'Only the full amount can be refunded: {{limit}}.',
      day: 'Choose a day from the date of the order until today.',
      goods: 'The products go back to stock only with a full refund: {{limit}}.',
      reason: 'Enter a reason of 1 to 200 characters.',
      stock_missing: 'Choose whether the products go back to stock.',
      typed: 'The amount does not match. Nothing was refunded or recorded.',
    },
  },
  refusals: {
    refund_not_possible: 'This payment cannot be refunded this way now. Check the section Refunds.',
    refund_unchanged: 'We asked the gateway, and its response changes nothing. The refund is still unresolved.',
    refund_unreachable:
      'We could not check the refund: the gateway did not respond or does not find it by that ID. Find it in its dashboard.',
    refund_changed: 'The order changed while you viewed it, and nothing was done. Check the section Refunds.',
    refund_late: 'The shop is busy and did not request the refund. Wait a minute and try again.',
    refund_not_open: 'The current state of the refund does not allow this action. Nothing was done.',
    refund_sending: 'We are requesting the refund from the gateway. Reload the page in a minute.',
    refund_pending: 'The gateway received the refund and is processing it.',
    refund_refused: 'The refund was not made. Nothing was returned.',
    refund_unknown:
      'We do not know whether the refund was made. Find it in the gateway’s dashboard and resolve it in the section Refunds.',
  },
  results: { refund_succeeded: 'The refund was made.', refund_recorded: 'It is recorded. The shop moved no money.' },
  mail: {
    subject: 'Refund for your order {{number}}',
    heading: 'Your refund, {{name}}',
    returned: 'We refunded {{amount}} for your order {{number}}.',
    full: 'This returns everything that you paid for this order.',
    partial: 'This is part of what you paid. The rest of your order stays the same.',
    extra: 'We received more than one payment for this order and refunded the extra one. Your order stays the same.',
    when: 'It may take a few days to appear in your account.',
    closing: 'Keep this email in case you need it.',
  },
};
