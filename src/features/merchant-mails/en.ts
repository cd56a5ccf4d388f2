import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  jobs: { merchant_paid: 'Your notification of the paid order', merchant_review: 'Your notification of the review' },
  paid: 'Order {{number}} is paid',
  review: 'Order {{number}} needs your review',
  state: 'Current state: {{state}}.',
  remainder: 'After refunds, {{amount}} is left.',
  customer: 'Customer',
  setting: 'An email about each sale',
  sentTo: 'We send it to {{email}}.',
  noAddress: 'None is sent, because your address is missing (MERCHANT_EMAIL). Ask the shop’s developer.',
};
