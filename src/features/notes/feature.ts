import { FULFILLMENT } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { addNoteRoutes, NOTE_FIELDS, noteForm } from './note-routes.js';

/** The internal note of an order, which users of the back office write and change. */
export const notes: Feature = {
  name: 'notes',
  place: 60,
  fieldsWithCardCheck: Object.keys(NOTE_FIELDS),
  permissions: {
    'POST /admin/orders/:number/note': FULFILLMENT,
  },
  addAdminRoutes: addNoteRoutes,
  adminOrderSection(context, record, admin) {
    const model = noteForm(context, record, admin);
    return Promise.resolve(model && { view: '/notes/views/note', place: 'aside', model });
  },
};
