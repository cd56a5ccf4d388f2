import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  jobs: { reminder: 'Payment reminder by email' },
  setting: 'Payment reminder, in hours',
  settingHint:
    'An unpaid order gets an email with its link after this many hours. Leave it empty to send none. Orders placed without reminders get none later.',
  subject: 'Your order {{number}} is not paid yet',
  heading: 'Your order {{number}} is waiting',
  unpaid: 'We received no payment for your order {{number}}, total {{total}}.',
  until: 'You have {{left}} left: you can pay it at this price until {{time}}, while stock lasts.',
  days_one: '{{count}} day',
  days_many: '{{count}} days',
  days_other: '{{count}} days',
  hours_one: '{{count}} hour',
  hours_many: '{{count}} hours',
  hours_other: '{{count}} hours',
  paid: 'If you have just paid it, do not pay again: the link shows when we confirm it.',
  link: 'Pay the order',
  closing: 'If you no longer want it, you do not have to do anything. We will not send another reminder.',
};
