import { brand } from '../../locales/brand.js';
import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  link: 'Where is my order?',
  jobs: { order_link: 'Order link by email' },
  mail: {
    subject: 'The link to your order {{number}}',
    heading: 'Your order {{number}}',
    asked: 'The shop received a request for the link to this order with your email address. Here it is.',
    notYou: 'If you did not ask for it, you do not have to do anything. The link was sent only to you.',
  },
  title: 'Find my order',
  heading: 'Where is my order?',
  intro: 'Enter your order number and the email address you used for the purchase. We send the link to that address.',
  number: 'Order number',
  numberHint: `For example ${brand.orderPrefix}-7KMX-2AFR. It is on your receipt.`,
  numberRequired: 'Enter the order number.',
  numberInvalid: `That number is not complete. It should look like ${brand.orderPrefix}-7KMX-2AFR.`,
  email: 'Email address used for the purchase',
  submit: 'Send me the link',
  sentHeading: 'Check your email',
  sent: 'If the number and the address belong to the same order, the link will arrive in a few minutes. For security, we do not say here whether it exists.',
  sentHint: 'If it does not arrive, check your spam folder and make sure you typed both correctly.',
  again: 'Search again',
};
