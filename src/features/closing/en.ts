import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  title: 'Close for a few days',
  open: 'The shop is open.',
  closed: 'The shop is closed until {{day}}.',
  intro:
    'While it is closed, your customers see the products and your notice, but cannot place orders or start a payment. Paid orders, refunds, and the links of orders that you create work as before. No reminders are sent.',
  noPages: 'No payment page is open.',
  pages: 'Payment pages are open: they can still be paid until {{time}}.',
  links_one: '{{count}} unpaid order has a link that cannot be paid while the shop is closed.',
  links_many: '{{count}} unpaid orders have a link that cannot be paid while the shop is closed.',
  links_other: '{{count}} unpaid orders have a link that cannot be paid while the shop is closed.',
  endedLinks_one: '{{count}} of these links ends before you open.',
  endedLinks_many: '{{count}} of these links end before you open.',
  endedLinks_other: '{{count}} of these links end before you open.',
  until: 'Opens again on',
  untilHint: 'On that day, at midnight in Mexico City, the shop opens by itself.',
  text: 'Notice for your customers',
  textHint: 'If you leave it empty, it says: “The shop is closed for now.” The day is added.',
  close: 'Close the shop',
  change: 'Save',
  reopen: 'Open now',
  outcomes: {
    changed: 'The change was saved. The shop shows it now.',
    unchanged: 'There was nothing to change.',
    changed_meanwhile: 'Another user changed this while you edited it, and nothing was saved. Check it and save again.',
  },
  problems: {
    until: 'Choose a day from tomorrow to one year from now.',
    text: 'Write at most {{limit}} characters.',
  },
};
