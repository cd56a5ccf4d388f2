/** For tests of a host: single steps of the worker, rows and stand-ins. No promise covers it. */

export { createAccountLimits } from '../account-limits.js';
export { deleteExpired } from '../database/delete-expired-rows.js';
export { limiters } from '../database/limits.js';
export { TRANSACTION_LIMITS } from '../database/transaction-scope.js';
export type { GatewaySettings } from '../gateway/connection.js';
export { createGateway, type Gateway } from '../gateway/gateway.js';
export { type FullHost, fullHostOf } from '../host.js';
export { paymentsOf } from '../payments.js';
export { processInbox } from '../process-inbox.js';
export { processOutbox } from '../process-outbox.js';
export { receiveWebhook } from '../receive-webhook.js';
export { reconcile } from '../reconcile.js';
export { type RefundWaits, refundPayment } from '../refund-payment.js';
export { resolveRefund } from '../resolve-refund.js';
export { readWebhookAuth } from '../rules/webhook-auth.js';
export { insertAttempt } from '../store/attempts.js';
export { storeWebhook } from '../store/inbox.js';
export { updateSuccessor } from '../store/orders.js';
export { insertRefund, updateRefund } from '../store/refunds.js';
export { attemptRow, refundRow } from './rows.js';
