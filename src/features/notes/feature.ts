import { FULFILLMENT } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { NOTE_FIELDS, noteForm, saveNote } from './note-routes.js';
import { notesPaths } from './paths.js';

/** The internal note of an order, which users of the back office write and change. */
export const notes: Feature = {
  name: 'notes',
  place: 60,
  fieldsWithCardCheck: Object.keys(NOTE_FIELDS),
  adminRoutes: () => [{ post: notesPaths.note, roles: FULFILLMENT, handler: saveNote }],
  adminOrderSection(context, record, admin) {
    const model = noteForm(context, record, admin);
    return Promise.resolve(model && { view: '/notes/views/note', place: 'aside', model });
  },
};
