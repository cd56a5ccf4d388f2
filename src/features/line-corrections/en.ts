import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  title: 'Correct order {{number}}',
  link: 'Correct the products',
  intro:
    'A placed order does not change. Saving creates a new one at today’s prices and closes this one. The link of this order then leads to the new one.',
  results: {
    lines_corrected: 'The new order took the place of the former one. Send its payment link to the customer.',
  },
  refusals: {
    lines_paid: 'This order is already paid. Nothing was changed.',
    lines_in_review: 'This order is in review. Decide on its payment first. Nothing was changed.',
    lines_answer_awaited: 'A payment for this order is in progress and has no answer yet. Nothing was changed.',
    lines_other_environment:
      'A payment for this order was made in another environment of the gateway and cannot be looked up. Nothing was changed.',
    lines_open: 'The customer may be paying at the bank. Try again in a few minutes. Nothing was changed.',
    lines_unanswered:
      'The gateway did not confirm that the customer is not paying. Try again in a few minutes. Nothing was changed.',
    lines_other_order:
      'Another order of the same purchase is in progress, is paid or replaced this one. Nothing was changed.',
  },
};
