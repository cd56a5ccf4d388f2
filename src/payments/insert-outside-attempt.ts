import type { PaymentContext } from './context.js';
import type { Attempt } from './rules/attempt.js';
import { attemptReference, ID_BYTES, timeOrderedId } from './rules/ids.js';
import { findAttempts, insertAttempt } from './store/attempts.js';
import type { Transaction } from './store/database.js';
import type { Order } from './store/orders.js';

/** Inserts the attempt of an order that was paid past the gateway: it is paid, and no call of the gateway is about it. */
export async function insertOutsideAttempt(
  tx: Transaction,
  { config: { environment, keyFingerprint }, random }: Pick<PaymentContext, 'config' | 'random'>,
  { id: orderId, number, total }: Order,
  at: number,
): Promise<Attempt> {
  const ordinal = (await findAttempts(tx, orderId)).length + 1;
  const amounts = { amount: total, confirmedAmount: total };
  const times = { offerEndsAt: at, leasedUntil: at, checkedAt: 0, nextCheckAt: at, createdAt: at, updatedAt: at };
  return insertAttempt(tx, {
    id: timeOrderedId(at, random(ID_BYTES)),
    orderId,
    ordinal,
    flow: 'outside',
    state: 'paid',
    environment,
    keyFingerprint,
    reference: attemptReference(number, ordinal),
    ...amounts,
    ...times,
    checks: 0,
  });
}
