import { jobKey, queueJob, recordEvent } from '@tianguis/payments/back-office';
import { changesRow } from '@tianguis/payments/rules';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import type { OrderRequest } from '../../shop/order-requests.js';
import type { Address, Contact } from '../../shop/rules/contact.js';
import { type Fulfillment, findFulfillment } from '../../tables/fulfillments.js';
import { lockOrder, type Order, patchDetails } from '../../tables/orders.js';
import { addressOf } from './address-of.js';
import { storeFormerAddress } from './repository.js';

/**
 * Returns whether an admin user may correct the delivery address: from the payment until the order is shipped. Before the
 * payment, the customer corrects it.
 */
export function mayCorrectAddress(
  order: Pick<Order, 'state' | keyof Contact>,
  fulfillment: Pick<Fulfillment, 'state'> | undefined,
): boolean {
  return order.state === 'paid' && order.street !== '' && fulfillment?.state === 'preparing';
}

/**
 * Replaces the delivery address of a paid order, and stores the former one until an erasure or the retention. The history
 * holds only its id. Customer and merchant get a mail.
 */
export function correctAddress(
  { db, clock, config }: Pick<CheckoutContext, 'db' | 'clock' | 'config'>,
  { orderId, version, by, address }: OrderRequest & { readonly address: Address },
): Promise<'address_corrected' | 'changed' | 'not_open' | 'unchanged'> {
  return db.transaction(async (queries) => {
    const order = await lockOrder(queries, orderId);
    if (order.version !== version) return 'changed';
    if (!mayCorrectAddress(order, await findFulfillment(queries, orderId))) return 'not_open';
    const patch = addressOf(address);
    if (!changesRow(order, patch)) return 'unchanged';
    const at = clock.now();
    const formerAddress = await storeFormerAddress(queries, order, at, by);
    await patchDetails(queries, order, { at, patch });
    await recordEvent(queries, { orderId, at, kind: 'address_corrected', detail: { by, formerAddress } });
    const queue = (job: 'address_changed' | 'merchant_address_changed') =>
      queueJob(queries, { key: `${jobKey(job, orderId)}:${formerAddress}`, orderId, job, at });
    if (order.email !== '') await queue('address_changed');
    if (config.merchantEmail !== undefined) await queue('merchant_address_changed');
    return 'address_corrected';
  });
}
