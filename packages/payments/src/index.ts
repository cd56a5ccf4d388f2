/** The door of the payments. Other folders import this file and `rules/index.ts`, and no other file of this folder. */
export {
  type AccountLimits,
  type AccountShare,
  type Admission,
  type LimitedStart,
  refusalOf,
} from './account-limits.js';
export { type CancelResult, mayCancel } from './cancel-unpaid-order.js';
export { cleanLinks, redirectToClean } from './clean-links.js';
export { compareExport, type Difference, type ExportedPayment, isPaymentStatus } from './compare-export.js';
export type { Clock, Loop, PaymentContext } from './context.js';
export { createPayments, identityOf, type PaymentSettings } from './create-payments.js';
export type { OrderRefusal } from './find-refusal.js';
export { GATEWAY_CALLS, GATEWAY_ERROR_CODES } from './gateway/errors.js';
export { isNoPaymentType, isPlainPending } from './gateway/status.js';
export {
  type AppliedChange,
  type HostJob,
  type LockedGoods,
  NOT_NEEDED,
  type OrderDescription,
  type PaymentHost,
  type ReturnedMoney,
} from './host.js';
export { CLOSE_MS, SHUTDOWN_MS } from './lease-times.js';
export { LOOKUP_BUDGET } from './lookup-budget.js';
export { withStatus } from './lookups.js';
export { type NewPayment, newPayment } from './new-payment.js';
export { type PaymentObserver, silentPayments, WEBHOOK_ANSWERS, type WebhookAnswer } from './observer.js';
export { openPaymentDatabase } from './open-database.js';
export type { Payments } from './payments.js';
export { JOB_LEASE_MS, lastPartOf, paymentIdsOf } from './process-outbox.js';
export type { OutsideResult } from './record-outside-payment.js';
export type { RefundOption } from './refund-options.js';
export { findRefundObjection, firstRefundTime, type RefundObjection, type RefundRequest } from './refund-payment.js';
export { REFUND_ACTIONS } from './resolve-refund.js';
export { waitForWrites } from './retry-write.js';
export { type Attempt, hasGatewayId, isOffered, mayBePaid, payingAttemptOf } from './rules/attempt.js';
export { decideReplacement, type Replacement } from './rules/decide-replacement.js';
export { nextCardTime } from './rules/decide-start.js';
export { findByToken } from './rules/ids.js';
export { hasNoAnswer, type LookupResult, TRIGGERS } from './rules/lookup.js';
export {
  configurePayments,
  list,
  paymentSettingProblems,
  paymentSettings,
  readPaymentSettings,
  type SettingProblem,
  SIMULATOR,
  textWithout,
  weakSecrets,
  wholeNumber,
} from './settings.js';
export { RETURN_PARAMETER, type Started, type StartOptions } from './start-attempt.js';
export {
  eraseNotes,
  findAttempt,
  findAttempts,
  findAttemptsOfOrders,
  findOrderIdsByGatewayNumber,
  LOOKUP_QUEUES,
  type PaymentIds,
} from './store/attempts.js';

export { type Backlog, jobBacklogs, orderBacklogs, waitingWebhooks } from './store/backlogs.js';
export { createPaymentTables } from './store/create-payment-tables.js';
export type { Db, OrderOf } from './store/database.js';
export { paymentMigrations } from './store/migrations/index.js';
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
export { paymentTablesSql } from './store/table-sql.js';
export type { OutboxTable, PayableOrdersTable, PaymentTables, Timestamps } from './store/tables.js';
export { findUnmatchedEvents, type ShownPayment, type UnmatchedEvent } from './unmatched-events.js';
export type { Verified } from './verify-payment.js';
export { type PayableState, type PaymentView, payableStateOf } from './view-payment.js';
export { withDeadline } from './with-deadline.js';
