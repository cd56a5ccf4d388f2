/** For the back office of a host: orders, attempts, refunds and jobs as rows. */
export { type CancelResult, mayCancel } from './cancel-unpaid-order.js';
export { compareExport, type Difference, type ExportedPayment, isPaymentStatus } from './compare-export.js';
export type { DecisionResult } from './decide-order.js';
export type { OrderRefusal } from './find-refusal.js';
export { isNoPaymentType, isPlainPending } from './gateway/status.js';
export { withStatus } from './lookups.js';
export { lastPartOf, paymentIdsOf } from './process-outbox.js';
export type { OutsideResult } from './record-outside-payment.js';
export type { RefundOption } from './refund-options.js';
export {
  findRefundObjection,
  firstRefundTime,
  type RefundObjection,
  type RefundRequest,
  type RefundResult,
} from './refund-payment.js';
export type { ReplacementResult } from './replace-unpaid-order.js';
export { REFUND_ACTIONS, type ResolveResult } from './resolve-refund.js';
export {
  eraseNotes,
  findAttempt,
  findAttempts,
  findAttemptsOfOrders,
  findOrderIdsByGatewayNumber,
  type PaymentIds,
} from './store/attempts.js';
export type { Db } from './store/database.js';
export {
  findHistory,
  findOtherPaidOrder,
  IN_REVIEW,
  incrementOrderVersion,
  isBlockedByReplaced,
  lockOrder,
  recordEvent,
  recordEvents,
} from './store/orders.js';
export { DROPPED, endJob, jobKey, type QueuedJob, queueJob, queueJobs, requeueJob } from './store/outbox.js';
export {
  DAYS_AT_ONCE,
  findPayments,
  findRefundsOfDays,
  type MadePayment,
  type MadeRefund,
} from './store/payments-by-day.js';
export { findRefundedOrders, findRefunds, findRemainders, type Refund } from './store/refunds.js';
export type { OutboxTable, Timestamps } from './store/tables.js';
export { findUnmatchedEvents, type ShownPayment, type UnmatchedEvent } from './unmatched-events.js';
export { type PayableState, payableStateOf } from './view-payment.js';
