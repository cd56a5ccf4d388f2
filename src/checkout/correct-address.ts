import { recordEvent } from '../db/history.js';
import { lockOrder, type Order, patchOrder } from '../db/orders.js';
import { type Address, addressOf, type Contact } from '../domain/contact.js';
import type { CheckoutContext } from './context.js';

export interface AddressCorrection {
  readonly orderId: string;
  /** The order version on the admin user's page (optimistic lock). */
  readonly version: number;
  readonly address: Address;
  /** The name of the admin user. */
  readonly by: string;
}

export type CorrectionOutcome =
  | 'address_corrected'
  /** The order changed after the page was rendered. The admin user must reload it. */
  | 'changed'
  /** The order is not paid or has no address. */
  | 'not_open';

/** Returns whether an admin user may correct the delivery address. Before the payment, the customer corrects it. */
export function mayCorrectAddress(order: Pick<Order, 'state' | keyof Contact>): boolean {
  return order.state === 'paid' && order.street !== '';
}

/** Replaces the delivery address of a paid order. The history records it without personal data. */
export function correctAddress(
  { db, clock }: Pick<CheckoutContext, 'db' | 'clock'>,
  { orderId, version, address, by }: AddressCorrection,
): Promise<CorrectionOutcome> {
  return db.transaction(async (queries) => {
    const order = await lockOrder(queries, orderId);
    if (order.version !== version) return 'changed';
    if (!mayCorrectAddress(order)) return 'not_open';
    const at = clock.now();
    await patchOrder(queries, order, { at, patch: addressOf(address) });
    await recordEvent(queries, { orderId, at, kind: 'address_corrected', detail: { by } });
    return 'address_corrected';
  });
}
