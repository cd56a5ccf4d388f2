import { PAYMENT_LOG_FIELDS, type PaymentLogEvent } from '@tianguis/payments/rules';

/** Every log event, as `object.verb_past`. */
export type LogEvent =
  | PaymentLogEvent
  | 'admin.link_failed'
  | 'admin.link_requested'
  | 'admin.second_factor_removed'
  | 'admin.second_factor_unreadable'
  | 'admin.sign_in_rejected'
  | 'admin.signed_in'
  | 'admin.signed_out'
  | 'admin.user_changed'
  | 'cart.count_failed'
  | 'catalog.imported'
  | 'checkout.failed'
  | 'customer_data.copied'
  | 'database.newer_found'
  | 'discount.created'
  | 'discount.ended'
  | 'error_page.render_failed'
  | 'fulfillment.changed'
  | 'invoice.issued'
  | 'invoice.requested'
  | 'job.retried'
  | 'metrics.read_failed'
  | 'order.address_corrected'
  | 'order.contact_corrected'
  | 'order.decided'
  | 'order.placed'
  | 'orders.export_truncated'
  | 'orders.exported'
  | 'payment.shown'
  | 'payments.export_truncated'
  | 'payments.exported'
  | 'pictures.changed'
  | 'process.started'
  | 'process.stop_failed'
  | 'process.stopping'
  | 'product.changed'
  | 'product.created'
  | 'product.deleted'
  | 'product.links_ended'
  | 'product.released'
  | 'proxy.header_ignored'
  | 'rate_limit.exceeded'
  | 'readiness.failed'
  | 'reminder.failed'
  | 'request.completed'
  | 'request.failed'
  | 'secret.older_accepted'
  | 'session.read_failed'
  | 'settings.changed'
  | 'settings.read_failed'
  | 'settings.value_ignored'
  | 'upload.refused'
  | 'webhook.authentication_disabled'
  | 'worker.started';

/** Allow-list of log fields. `user` is the name of an admin user, `payments` the version of the payments. */
export const LOG_FIELDS = [
  ...PAYMENT_LOG_FIELDS,
  'limit',
  'migrations',
  'payments',
  'paymentsCommit',
  'decision',
  'user',
  'requestId',
  'errorId',
  'method',
  'route',
  'url',
  'products',
] as const;

export type LogFields = Readonly<Partial<Record<(typeof LOG_FIELDS)[number], string | number | undefined>>>;

/** Structured log: one line per event, by severity. */
export interface EventLog {
  debug(event: LogEvent, fields?: LogFields): void;
  info(event: LogEvent, fields?: LogFields): void;
  warn(event: LogEvent, fields?: LogFields): void;
  error(event: LogEvent, fields?: LogFields): void;
  /** Returns a log that adds these fields to every line. */
  with(fields: LogFields): EventLog;
}
