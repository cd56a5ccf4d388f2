/** Every log event of the payments, as `object.verb_past`. */
export type PaymentLogEvent =
  | 'attempt.changed'
  | 'attempt.environment_mismatched'
  | 'attempt.lease_expired'
  | 'attempt.outcome_retried'
  | 'attempt.outcome_unstored'
  | 'attempt.reconcile_failed'
  | 'attempt.resume_failed'
  | 'card_payment.bank_page_lost'
  | 'card_payment.outcome_lost'
  | 'clock.set_back'
  | 'database.commit_hook_failed'
  | 'database.connection_lost'
  | 'gateway.key_accepted'
  | 'gateway.key_refused'
  | 'gateway.value_unused'
  | 'host.change_failed'
  | 'host.change_retried'
  | 'job.completed'
  | 'job.dropped'
  | 'job.failed'
  | 'job.reschedule_failed'
  | 'lookup.failed'
  | 'offer.extend_failed'
  | 'order.changed'
  | 'order.oversold'
  | 'order.verify_failed'
  | 'refund.changed'
  | 'refund.expire_failed'
  | 'refund.lookup_failed'
  | 'refund.outcome_lost'
  | 'refund.outcome_retried'
  | 'refund.outcome_unstored'
  | 'refund.repeated'
  | 'refund.started'
  | 'return.session_mismatched'
  | 'session.rejected'
  | 'tokenizer_access.failed'
  | 'webhook.body_consumed'
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
  | 'worker.stop_timed_out';

/**
 * Allow-list of their log fields. Personal data of customers, addresses, tokens and bodies have no field. `member` names a
 * member of the gateway's answer, `origin` is that of the hosted page.
 */
export const PAYMENT_LOG_FIELDS = [
  'order',
  'attempt',
  'refund',
  'flow',
  'webhook',
  'event',
  'job',
  'loop',
  'kind',
  'trigger',
  'from',
  'to',
  'reason',
  'code',
  'call',
  'status',
  'durationMs',
  'count',
  'copies',
  'setting',
  'member',
  'origin',
] as const;

export type PaymentLogFields = Readonly<
  Partial<Record<(typeof PAYMENT_LOG_FIELDS)[number], string | number | undefined>>
>;

/** Structured log: one line per event, by severity. */
export interface PaymentLog {
  info(event: PaymentLogEvent, fields?: PaymentLogFields): void;
  warn(event: PaymentLogEvent, fields?: PaymentLogFields): void;
  error(event: PaymentLogEvent, fields?: PaymentLogFields): void;
}
