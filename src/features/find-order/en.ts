import { brand } from '../../locales/brand.js';
import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  link: 'Where is my order?',
  jobs: { order_link: 'Order link by email', order_list: 'Order links by email' },
  mail: {
    subject: 'The link to your order {{number}}',
    heading: 'Your order {{number}}',
    asked: 'The shop received a request for the link to this order with your email address. Here it is.',
    notYou: 'If you did not ask for it, you do not have to do anything. The link was sent only to you.',
  },
  listMail: {
    subject: 'The links to your orders',
    heading: 'Your orders',
    asked: 'The shop received a request for the links to your orders. Here they are.',
    newest: 'The message has {{limit}} orders: the newest paid ones, then others if there is room.',
    notYou: 'If you did not ask for them, you do not have to do anything. The links were sent only to you.',
    order: 'Order {{number}}',
  },
  states: {
    created: 'Waiting for the payment',
    pending: 'Waiting for the payment',
    outcome_unknown: 'Payment to be confirmed',
    paid: 'Paid',
    refunded: 'Refunded',
    declined: 'Payment declined',
    expired: 'Not paid',
    cancelled: 'Canceled',
    review: 'Payment under review',
  },
  title: 'My orders',
  heading: 'Where is my order?',
  intro: 'Enter the email address you used for the purchase. We send the links to your orders to that address.',
  number: 'Order number',
  numberHint: `With the number, we send only the link to that order. For example ${brand.orderPrefix}-7KMX-2AFR.`,
  numberInvalid: `That number is not complete. It should look like ${brand.orderPrefix}-7KMX-2AFR.`,
  email: 'Email address used for the purchase',
  submit: 'Send me the links',
  sentHeading: 'Check your email',
  sent: 'If we find orders for what you entered, a message will arrive in a few minutes. For security, we do not say here whether we found any.',
  sentHint: 'If it does not arrive, check your spam folder and what you entered.',
  again: 'Search again',
};
