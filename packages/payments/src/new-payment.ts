import { randomBytes } from 'node:crypto';
import { ORDER_TOKEN_BYTES, orderNumberProblem, orderToken } from './rules/ids.js';
import { type Centavos, CURRENCY } from './rules/money.js';
import type { Random } from './rules/random.js';
import type { PayableOrdersTable } from './store/tables.js';

export interface NewPayment {
  /**
   * Short, unique and shown to the customer. The gateway gets it as reference, with `-2` for a second payment. So it ends in no hyphen
   * with up to three digits.
   */
  readonly number: string;
  readonly total: Centavos;
  /** Until when the order can be paid, in milliseconds since 1970. */
  readonly payableUntil: number;
  readonly at: number;
}

/** The columns of a new order that the payments decide. */
export type PaymentColumns = Omit<PayableOrdersTable, 'id'>;

/**
 * Returns the payments' columns of a new order. The host inserts them with an id and its own columns. Of these it may only replace `token` later.
 * Throws `RangeError` if the total is not positive, or the number could be the reference of another order.
 */
export function newPayment(
  { number, total, payableUntil, at }: NewPayment,
  random: Random = randomBytes,
): PaymentColumns {
  const problem = orderNumberProblem(number);
  if (problem !== undefined) throw new RangeError(problem);
  if (total <= 0) throw new RangeError('the total of an order is positive');
  return {
    number,
    token: orderToken(random(ORDER_TOKEN_BYTES)),
    total,
    currency: CURRENCY,
    state: 'created',
    version: 1,
    reviewReason: null,
    supersededBy: null,
    payableUntil,
    paidAttemptId: null,
    paidAt: null,
    confirmedAt: null,
    createdAt: at,
    updatedAt: at,
  };
}
