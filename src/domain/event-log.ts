/** Every log event, as `object.verb_past`. */
export type LogEvent =
  | 'admin.link_failed'
  | 'admin.second_factor_unreadable'
  | 'admin.sign_in_rejected'
  | 'admin.signed_in'
  | 'admin.signed_out'
  | 'admin.user_changed'
  | 'attempt.changed'
  | 'attempt.environment_mismatched'
  | 'attempt.lease_expired'
  | 'attempt.outcome_retried'
  | 'attempt.outcome_unstored'
  | 'attempt.reconcile_failed'
  | 'attempt.resume_failed'
  | 'card_payment.bank_page_lost'
  | 'card_payment.outcome_lost'
  | 'cart.count_failed'
  | 'checkout.failed'
  | 'clock.set_back'
  | 'database.commit_hook_failed'
  | 'database.connection_lost'
  | 'error_page.render_failed'
  | 'fulfillment.changed'
  | 'gateway.key_accepted'
  | 'gateway.key_refused'
  | 'gateway.value_unused'
  | 'invoice.requested'
  | 'job.completed'
  | 'job.failed'
  | 'job.reschedule_failed'
  | 'job.retried'
  | 'lookup.failed'
  | 'metrics.read_failed'
  | 'offer.extend_failed'
  | 'order.address_corrected'
  | 'order.changed'
  | 'order.decided'
  | 'order.placed'
  | 'order.settle_failed'
  | 'orders.export_truncated'
  | 'orders.exported'
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
  | 'refund.changed'
  | 'refund.expire_failed'
  | 'refund.lookup_failed'
  | 'refund.outcome_lost'
  | 'refund.outcome_retried'
  | 'refund.outcome_unstored'
  | 'refund.repeated'
  | 'refund.started'
  | 'reminder.failed'
  | 'request.completed'
  | 'request.failed'
  | 'return.session_mismatched'
  | 'secret.older_accepted'
  | 'session.read_failed'
  | 'session.rejected'
  | 'stock.oversold'
  | 'tokenizer_access.failed'
  | 'webhook.authentication_disabled'
  | 'webhook.failed'
  | 'webhook.finish_failed'
  | 'webhook.processed'
  | 'webhook.rejected'
  | 'webhook.store_failed'
  | 'webhook.stored'
  | 'webhook.try_failed'
  | 'webhook.unmatched'
  | 'worker.run_exceeded'
  | 'worker.run_failed'
  | 'worker.started'
  | 'worker.stop_timed_out';

/**
 * Allow-list of log fields. Personal data of customers, addresses, tokens and bodies have no field. `member` names
 * a member of the gateway's answer, `origin` is that of the
 * hosted page, `user` the name of an admin user.
 */
export const LOG_FIELDS = [
  'order',
  'attempt',
  'refund',
  'flow',
  'webhook',
  'event',
  'job',
  'loop',
  'limit',
  'decision',
  'kind',
  'user',
  'trigger',
  'from',
  'to',
  'reason',
  'code',
  'call',
  'status',
  'durationMs',
  'requestId',
  'errorId',
  'method',
  'route',
  'url',
  'count',
  'copies',
  'products',
  'setting',
  'member',
  'origin',
] as const;

export type LogFields = Readonly<Partial<Record<(typeof LOG_FIELDS)[number], string | number | undefined>>>;

/** Structured log: one line per event, by severity. */
export interface EventLog {
  info(event: LogEvent, fields?: LogFields): void;
  warn(event: LogEvent, fields?: LogFields): void;
  error(event: LogEvent, fields?: LogFields): void;
  /** Returns a log that adds these fields to every line. */
  with(fields: LogFields): EventLog;
}
