import { jobKey, queueJob, recordEvent } from '@tianguis/payments/back-office';
import { changesRow, ORDER_TOKEN_BYTES, orderToken } from '@tianguis/payments/rules';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import type { OrderRequest } from '../../shop/order-requests.js';
import { isErased } from '../../shop/rules/contact.js';
import { lockCartsOfOrders } from '../../tables/carts.js';
import type { Transaction } from '../../tables/database.js';
import { type Order, patchDetails } from '../../tables/orders.js';
import { isSameMailbox, lockLinkedOrders, storeFormerContact } from './repository.js';
import type { Person } from './rules.js';
import type { JobName } from './tables.js';

interface Correction extends OrderRequest {
  readonly person: Person;
  /** Replaces the link of the order. The former one then serves only the returns of payments under way. */
  readonly hasNewLink: boolean;
}

type Context = Pick<CheckoutContext, 'db' | 'clock' | 'random' | 'orderHooks'>;

/**
 * Replaces name, e-mail and phone of an order, and stores the former ones until an erasure or the retention. The orders that it
 * replaced, or that replaced it, get the same if they have its address: one of them may still be paid, and its link leads to this one.
 * The history holds only the id of what was stored. The new address gets a mail, and so does a former one that is replaced. The
 * customer's browser keeps the order.
 */
export function correctContact(
  context: Context,
  correction: Correction,
): Promise<'contact_corrected' | 'changed' | 'contact_unchanged' | 'contact_erased'> {
  const { orderId, version, person, hasNewLink } = correction;
  return context.db.transaction(async (tx) => {
    // For the lock order see tables/stock.ts.
    await lockCartsOfOrders(tx, [orderId]);
    const linked = await lockLinkedOrders(tx, orderId);
    const order = linked.find(({ id }) => id === orderId);
    if (order?.version !== version) return 'changed';
    // After an erasure the order gets no new personal data.
    if (isErased(order)) return 'contact_erased';
    if (!changesRow(order, person) && !hasNewLink) return 'contact_unchanged';
    const at = context.clock.now();
    const replacing = { ...correction, at };
    const formerContact = await replaceContact(tx, context, order, replacing);
    for (const other of linked)
      if (other.id !== orderId && !isErased(other) && isSameCustomer(other, order))
        await replaceContact(tx, context, other, replacing);
    for (const job of mailsOf(order.email, person.email))
      await queueJob(tx, { key: `${jobKey(job, orderId)}:${formerContact}`, orderId, job, at });
    return 'contact_corrected';
  });
}

function isSameCustomer(other: Order, { email, phone }: Order): boolean {
  return isSameMailbox(other.email, email) && (email !== '' || other.phone === phone);
}

/** Returns the id of the former contact. */
async function replaceContact(
  tx: Transaction,
  { random, orderHooks }: Context,
  before: Order,
  { person, hasNewLink, by, at }: Correction & { readonly at: number },
): Promise<number> {
  const { id: orderId } = before;
  const formerContact = await storeFormerContact(tx, before, { at, by, hasNewLink });
  const token = hasNewLink ? orderToken(random(ORDER_TOKEN_BYTES)) : before.token;
  const after = await patchDetails(tx, before, { at, patch: { ...person, token } });
  await recordEvent(tx, { orderId, at, kind: 'customer_data_corrected', detail: { by, formerContact } });
  if (hasNewLink) await recordEvent(tx, { orderId, at, kind: 'link_replaced', detail: { by } });
  for (const hooks of orderHooks) await hooks.contactCorrected?.(tx, { before, after, at });
  return formerContact;
}

/** A job that is done counts as a mail that was sent, so none is queued without an address. */
function mailsOf(former: string, present: string): readonly JobName[] {
  const isRemoved = former !== '' && former !== present;
  return [...(present === '' ? [] : ['contact_changed' as const]), ...(isRemoved ? ['contact_removed' as const] : [])];
}
