import { FULFILLMENT } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { addNoteRoutes, noteForm } from './note-routes.js';

/** The internal note of an order, which users of the back office write and change. */
export const notes: Feature = {
  name: 'notes',
  place: 60,
  fieldsWithCardCheck: ['order_note'],
  permissions: {
    'POST /admin/orders/:number/note': FULFILLMENT,
  },
  addAdminRoutes: addNoteRoutes,
  adminOrderSection(_context, record, admin) {
    const model = noteForm(record, admin);
    return Promise.resolve(model && { view: '/notes/note', place: 'aside', model });
  },
};
