/** For the operation of a host: limits, backlogs, deadlines, what is observed, and which version runs. */
export {
  type AccountLimits,
  type AccountShare,
  type Admission,
  type HostLimit,
  type LimitedStart,
  refusalOf,
} from './account-limits.js';
export type { Loop, PaymentContext } from './context.js';
export { GATEWAY_CALLS, GATEWAY_ERROR_CODES } from './gateway/errors.js';
export { CLOSE_MS, SHUTDOWN_MS } from './lease-times.js';
export { LOOKUP_BUDGET } from './lookup-budget.js';
export { type PaymentObserver, silentPayments, WEBHOOK_ANSWERS, type WebhookAnswer } from './observer.js';
export { JOB_LEASE_MS } from './process-outbox.js';
export { waitForWrites } from './retry-write.js';
export type { TokenizerAccess } from './start-card.js';
export { LOOKUP_QUEUES } from './store/attempts.js';
export { type Backlog, jobBacklogs, orderBacklogs, waitingWebhooks } from './store/backlogs.js';
export { PAYMENTS_VERSION } from './version.js';
export { withDeadline } from './with-deadline.js';
