import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  events: { note_changed: 'A user of the back office changed the internal note' },
  results: { note_saved: 'The note is saved.' },
  refusals: { note_closed: 'The data of this order was erased, so it no longer has a note.' },
  title: 'Internal note',
  label: 'Text of the note',
  hint: 'The customer does not see it. It is erased with the customer’s data. Do not enter card data.',
  save: 'Save the note',
  problem: 'Enter a note of at most {{limit}} characters.',
};
