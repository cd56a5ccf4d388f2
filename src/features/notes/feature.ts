import { adminOf, FULFILLMENT } from '../../admin/permissions.js';
import { contextOf } from '../../web/request-context.js';
import type { Feature } from '../feature.js';
import { NOTE_FIELDS, noteForm, saveNote } from './note-routes.js';
import { notesPaths } from './paths.js';

/** The internal note of an order, which users of the back office write and change. */
export const notes: Feature = {
  name: 'notes',
  place: 60,
  forms: [NOTE_FIELDS],
  adminRoutes: () => [{ post: notesPaths.note, roles: FULFILLMENT, handler: saveNote }],
  slots: {
    'admin-order.section': (res, record) => {
      const model = noteForm(contextOf(res), record, adminOf(res));
      return model && { view: '/notes/views/note', place: 'aside', model };
    },
  },
};
