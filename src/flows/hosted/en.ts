import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  heading: 'Checkout',
  question: 'How would you like to pay?',
  hint: 'We take you to the payment service’s page. You enter your card details there and then come back here.',
  pay: 'Pay on the secure page',
  payTotal: 'Pay {{total}}',
  choose: 'Pay on the secure page instead',
};
