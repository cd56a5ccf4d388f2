import type { Request, Response } from 'express';
import { answer, orderOf, requestOf, type SendOrder } from '../../admin/admin-order.js';
import { type OrderRecord, typedField } from '../../admin/order-record.js';
import type { AdminRouter } from '../../admin/permissions.js';
import { isErased } from '../../shop/rules/contact.js';
import { NOTE_LIMIT, readNote } from '../../shop/rules/form-field.js';
import { postedText } from '../../web/form-body.js';
import { adminOrderPath } from '../../web/paths.js';
import { type AdminAccess, contextOf } from '../../web/request-context.js';
import { changeNote } from './change-note.js';
import { notesPaths } from './paths.js';

/** Adds the change of an order's note. */
export function addNoteRoutes(app: AdminRouter, sendOrder: SendOrder): void {
  app.post(notesPaths.note, (req, res) => saveNote(req, res, sendOrder));
}

async function saveNote(req: Request, res: Response, sendOrder: SendOrder): Promise<void> {
  const { t, checkout } = contextOf(res);
  const order = await orderOf(res);
  const typed = { order_note: postedText(req, 'order_note') };
  const reading = readNote(typed.order_note);
  if ('problem' in reading) {
    const message = t(reading.problem === 'cardData' ? 'form.cardData' : 'notes.problem', { limit: NOTE_LIMIT });
    return sendOrder(res, { typed, errors: [{ field: 'order_note', message }] });
  }
  const result = await changeNote(checkout, { ...requestOf(req, res, order), note: reading.value });
  // The user saves again, after a look at the changed order. The form has the typed note.
  if (result === 'changed') return sendOrder(res, { typed, errors: [] });
  answer(res, order, result);
}

/** Builds the model of views/notes/note.ejs. Absent without a note that the user may read or write. */
export function noteForm({ order, refused }: OrderRecord, { can }: AdminAccess) {
  // After an erasure the order gets no new personal data.
  const mayWrite = !isErased(order) && can(`POST ${notesPaths.note}`);
  if (!mayWrite && order.note === '') return undefined;
  const field = typedField(refused, 'order_note', order.note);
  return {
    note: order.note,
    form: mayWrite ? { action: `${adminOrderPath(order)}/note`, version: String(order.version), field } : undefined,
    limit: NOTE_LIMIT,
  };
}
