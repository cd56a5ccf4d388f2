import { lockOrder, patchDetails } from '../../db/orders.js';
import { jobKey, queueJob, recordEvent } from '../../payments/index.js';
import { changesRow } from '../../payments/rules/index.js';
import type { CheckoutContext } from '../../shop/context.js';
import type { OrderRequest } from '../../shop/order-actions.js';
import { isErased } from '../../shop/rules/contact.js';
import { storeFormerContact } from './repository.js';
import type { Person } from './rules.js';

/**
 * Replaces name, e-mail and phone of an order, and stores the former ones until an erasure or the retention. The history holds
 * only their id. The new address gets a mail, and so does a former one that is replaced. The customer's browser keeps the order.
 */
export function correctContact(
  { db, clock }: Pick<CheckoutContext, 'db' | 'clock'>,
  { orderId, version, by, person }: OrderRequest & { readonly person: Person },
): Promise<'contact_corrected' | 'changed' | 'contact_unchanged' | 'contact_erased'> {
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order.version !== version) return 'changed';
    // After an erasure the order gets no new personal data.
    if (isErased(order)) return 'contact_erased';
    if (!changesRow(order, person)) return 'contact_unchanged';
    const at = clock.now();
    const formerContact = await storeFormerContact(tx, order, at, by);
    await patchDetails(tx, order, { at, patch: person });
    await recordEvent(tx, { orderId, at, kind: 'customer_data_corrected', detail: { by, formerContact } });
    const queue = (job: 'contact_changed' | 'contact_removed') =>
      queueJob(tx, { key: `${jobKey(job, orderId)}:${formerContact}`, orderId, job, at });
    // A job that is done counts as a mail that was sent.
    if (person.email !== '') await queue('contact_changed');
    if (order.email !== '' && order.email !== person.email) await queue('contact_removed');
    return 'contact_corrected';
  });
}
