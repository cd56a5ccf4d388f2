import type { Request, Response } from 'express';
import { answer, orderOf, refuse, requestOf } from '../../admin/order/admin-order.js';
import type { OrderRecord } from '../../admin/order/order-record.js';
import { isErased } from '../../shop/rules/contact.js';
import { NOTE_LIMIT } from '../../shop/rules/form-field.js';
import { text } from '../../web/fields.js';
import { conflictOf, type FormFields, readForm } from '../../web/form.js';
import { fieldModels } from '../../web/form-page.js';
import { pathTo } from '../../web/paths.js';
import { type AdminAccess, contextOf, type RequestContext } from '../../web/request-context.js';
import { changeNote } from './change-note.js';
import { notesPaths } from './paths.js';

export const NOTE_FIELDS = {
  order_note: text({
    kind: 'multiline',
    rows: 3,
    label: 'notes.label',
    hint: 'notes.hint',
    limit: NOTE_LIMIT,
    isOptional: true,
    problem: (t) => t('notes.problem', { limit: NOTE_LIMIT }),
  }),
} as const satisfies FormFields;

/** Stores the note of an order. */
export async function saveNote(req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  const form = readForm(res, NOTE_FIELDS);
  if (form.refused) return refuse(res, order, form.refused);
  const note = form.values.order_note;
  const result = await changeNote(contextOf(res).checkout, { ...requestOf(req, res, order), note });
  // The user saves again, after a look at the changed order. The form has the typed note.
  if (result === 'changed') return refuse(res, order, conflictOf(form));
  answer(res, order, result);
}

/** Builds the model of src/features/notes/views/note.ejs. Absent without a note that the user may read or write. */
export function noteForm({ t }: RequestContext, { order, refused }: OrderRecord, { can }: AdminAccess) {
  // After an erasure the order gets no new personal data.
  const mayWrite = !isErased(order) && can(`POST ${notesPaths.note}`);
  if (!mayWrite && order.note === '') return undefined;
  const action = pathTo(notesPaths.note, order);
  const fields = fieldModels(t, NOTE_FIELDS, refused, { order_note: order.note });
  return { note: order.note, form: mayWrite ? { action, version: String(order.version), fields } : undefined };
}
