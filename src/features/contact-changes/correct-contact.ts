import { lockOrder, patchDetails } from '../../db/orders.js';
import { jobKey, queueJob, recordEvent } from '../../payments/index.js';
import { changesRow, ORDER_TOKEN_BYTES, orderToken } from '../../payments/rules/index.js';
import type { CheckoutContext } from '../../shop/context.js';
import type { OrderRequest } from '../../shop/order-actions.js';
import { isErased } from '../../shop/rules/contact.js';
import { storeFormerContact } from './repository.js';
import type { Person } from './rules.js';
import type { JobName } from './tables.js';

interface Correction extends OrderRequest {
  readonly person: Person;
  /** Replaces the link of the order. The former one then serves only the returns of payments under way. */
  readonly hasNewLink: boolean;
}

/**
 * Replaces name, e-mail and phone of an order, and stores the former ones until an erasure or the retention. The history holds
 * only their id. The new address gets a mail, and so does a former one that is replaced. The customer's browser keeps the order.
 */
export function correctContact(
  { db, clock, random }: Pick<CheckoutContext, 'db' | 'clock' | 'random'>,
  { orderId, version, by, person, hasNewLink }: Correction,
): Promise<'contact_corrected' | 'changed' | 'contact_unchanged' | 'contact_erased'> {
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order.version !== version) return 'changed';
    // After an erasure the order gets no new personal data.
    if (isErased(order)) return 'contact_erased';
    if (!changesRow(order, person) && !hasNewLink) return 'contact_unchanged';
    const at = clock.now();
    const formerContact = await storeFormerContact(tx, order, { at, by, hasNewLink });
    const token = hasNewLink ? orderToken(random(ORDER_TOKEN_BYTES)) : order.token;
    await patchDetails(tx, order, { at, patch: { ...person, token } });
    await recordEvent(tx, { orderId, at, kind: 'customer_data_corrected', detail: { by, formerContact } });
    if (hasNewLink) await recordEvent(tx, { orderId, at, kind: 'link_replaced', detail: { by } });
    for (const job of mailsOf(order.email, person.email))
      await queueJob(tx, { key: `${jobKey(job, orderId)}:${formerContact}`, orderId, job, at });
    return 'contact_corrected';
  });
}

/** A job that is done counts as a mail that was sent, so none is queued without an address. */
function mailsOf(former: string, present: string): readonly JobName[] {
  const isRemoved = former !== '' && former !== present;
  return [...(present === '' ? [] : ['contact_changed' as const]), ...(isRemoved ? ['contact_removed' as const] : [])];
}
