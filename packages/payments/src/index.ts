/** The door of the payments: what a host needs. */
export { cleanLinks, redirectToClean } from './clean-links.js';
export { createPayments, type PaymentSettings } from './create-payments.js';
export {
  type AppliedChange,
  type HostJob,
  type LockedGoods,
  NOT_NEEDED,
  type OrderDescription,
  type PaymentHost,
  type ReturnedMoney,
} from './host.js';
export { type NewPayment, newPayment } from './new-payment.js';
export { openPaymentDatabase } from './open-database.js';
export { readPaymentSettings } from './payment-settings.js';
export type { Payments } from './payments.js';
export type { PlaceResult } from './place-order.js';
export type { Started, StartOptions } from './start-attempt.js';
export { createPaymentTables } from './store/create-payment-tables.js';
export type { OrderOf } from './store/database.js';
export { paymentMigrations } from './store/migrations/index.js';
export { paymentTablesSql } from './store/table-sql.js';
export type { PayableOrdersTable, PaymentTables } from './store/tables.js';
export type { Verified } from './verify-payment.js';
export type { OrderView, PaymentView } from './view-payment.js';
