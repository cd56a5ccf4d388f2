/** The status words of the second gateway. An open page names the result of its last card: `OPEN/REJECTED`. */

import type * as Own from '../../../src/gateway/status.js';
import type { PaymentStatus } from '../../../src/rules/payment.js';
import type { RefundOutcome } from '../../../src/rules/refund.js';

const STATUSES = new Map<string, PaymentStatus>([
  ['OPEN', 'pending'],
  ['OPEN/REJECTED', 'pending'],
  ['AT_BANK', 'pending'],
  ['SETTLED', 'paid'],
  ['REJECTED', 'declined'],
  ['CLOSED', 'expired'],
  ['ABANDONED', 'cancelled'],
]);

export const readStatus = (word: string): PaymentStatus => STATUSES.get(word) ?? 'unclear';

/** An exported list has the words of a lookup. */
export const readExportedStatus: typeof Own.readExportedStatus = (word) => readStatus(word);

export const isPlainPending: typeof Own.isPlainPending = (stored) => STATUSES.get(stored ?? '') === 'pending';

export const isDeclinedTry: typeof Own.isDeclinedTry = (stored) => stored === 'OPEN/REJECTED';

export const hasFailedTry: typeof Own.hasFailedTry = (stored) => isDeclinedTry(stored);

const REFUNDS = new Map<string, RefundOutcome['state']>([
  ['RETURNED', 'succeeded'],
  ['RETURNING', 'pending'],
  ['NOT_RETURNED', 'refused'],
]);

export const readRefundStatus = (word: string): RefundOutcome['state'] => REFUNDS.get(word) ?? 'unknown';

/** An exported list has no refunds. */
export const isRefundStatus: typeof Own.isRefundStatus = () => false;

export const isNoPaymentType: typeof Own.isNoPaymentType = () => false;
