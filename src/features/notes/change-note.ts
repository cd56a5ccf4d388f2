import { recordEvent } from '@tianguis/payments/back-office';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import type { OrderRequest } from '../../shop/order-requests.js';
import { isErased } from '../../shop/rules/contact.js';
import { lockOrder, patchDetails } from '../../tables/orders.js';

export type NoteResult = 'note_saved' | 'note_closed' | 'changed';

/**
 * Changes the note of an order, and records the change with its user in the history. The history has no text of it, so that
 * an erasure leaves none. `note_closed`: the personal data of the order was erased.
 */
export function changeNote(
  { db, clock }: CheckoutContext,
  { orderId, version, by, note }: OrderRequest & { readonly note: string },
): Promise<NoteResult> {
  const at = clock.now();
  return db.transaction(async (queries) => {
    const order = await lockOrder(queries, orderId);
    if (order.version !== version) return 'changed';
    if (isErased(order)) return 'note_closed';
    if (order.note === note) return 'note_saved';
    await patchDetails(queries, order, { at, patch: { note } });
    await recordEvent(queries, { orderId, at, kind: 'note_changed', detail: { by } });
    return 'note_saved';
  });
}
