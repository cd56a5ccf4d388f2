/** History of an order as text for the back office, with the stored detail of each event. */
import { TRIGGERS } from '../checkout/trigger.js';
import type { findHistory } from '../db/history.js';
import type { Order } from '../db/orders.js';
import { PAID_JOBS } from '../db/outbox.js';
import { maskCardNumbers } from '../domain/card-data.js';
import { DECISIONS } from '../domain/decision.js';
import { ATTEMPT_STATES, ORDER_STATES } from '../domain/order.js';
import type { I18n } from '../web/pages/shop-pages.js';
import { formatDuration, formatShortMoment } from './format-time.js';
import type { AdminOrderPage } from './view-models.js';

export type OrderEvents = Awaited<ReturnType<typeof findHistory>>;

/** Event kinds with a translation. Kinds of other versions of the program are shown untranslated. */
const EVENT_KINDS = [
  'placed',
  'superseded',
  'contact_corrected',
  'attempt_started',
  'attempt_opened',
  'attempt_failed',
  'attempt_declined',
  'attempt_unknown',
  'attempt_lapsed',
  'other_environment',
  'payment_found',
  'lookup_answered',
  'moved',
  'job_done',
  'job_retried',
  'personal_data_erased',
  'decided',
] as const;

const VERDICTS = ['paid', 'pending', 'declined', 'expired', 'cancelled', 'review'] as const;
const REVIEW_REASON = [
  ...['unclear_status', 'other_id', 'other_amount', 'other_currency', 'other_reference', 'overdue'],
  ...['not_found', 'no_answer', 'other_environment'],
  'second_payment',
] as const;

type Teller = (i18n: I18n, value: string) => string;

/** Texts for the fields of an event detail. Other fields appear only in the raw detail. */
const TELLERS: Readonly<Record<string, Teller>> = {
  attempt: ({ t }, ordinal) => t('admin.tells.attempt', { ordinal }),
  gatewayStatus: ({ t }, gatewayStatus) => t('admin.tells.gatewayStatus', { gatewayStatus }),
  result: ({ t }, value) =>
    known(VERDICTS, value, (result) => t('admin.tells.result', { result: t(`admin.results.${result}`) })),
  trigger: ({ t }, value) =>
    known(TRIGGERS, value, (trigger) =>
      t('admin.tells.trigger', { trigger: t(`admin.triggers.${trigger}`) }),
    ),
  ms: ({ t }, ms) => t('admin.tells.ms', { ms }),
  from: ({ t }, value) =>
    known(ORDER_STATES, value, (state) => t('admin.tells.from', { state: t(`admin.states.${state}`) })),
  to: ({ t }, value) =>
    known(ORDER_STATES, value, (state) => t('admin.tells.to', { state: t(`admin.states.${state}`) })),
  state: ({ t }, value) => known(ATTEMPT_STATES, value, (state) => t(`admin.attempts.${state}`)),
  reason: ({ t }, value) =>
    known(REVIEW_REASON, value, (reason) => t(`admin.reasons.${reason as 'overdue'}`)) ||
    t('admin.tells.reason', { reason: value }),
  late: ({ t }, value) => (value === 'true' ? t('admin.tells.late') : ''),
  by: ({ t }, number) => t('admin.tells.by', { number }),
  job: ({ t }, value) => known([...PAID_JOBS, 'order_link' as const], value, (job) => t(`admin.jobs.${job}`)),
  decision: ({ t }, value) => known(DECISIONS, value, (decision) => t(`admin.decisions.${decision}.label`)),
  note: ({ t }, note) => t('admin.tells.note', { note }),
};

function known<T extends string>(words: readonly T[], value: string, tell: (word: T) => string): string {
  const word = words.find((each) => each === value);
  return word === undefined ? '' : tell(word);
}

/** Builds the event list in the order of `events`, with the time between two events. */
export function orderTimeline(i18n: I18n, events: OrderEvents): AdminOrderPage['events'] {
  return events.map((event, place) => {
    const before = events[place - 1];
    const detail = detailOf(event.detail);
    return {
      at: formatShortMoment(event.at, i18n.locale),
      gap: before ? gapOf(i18n, event.at - before.at) : '',
      kind: eventName(i18n, event.kind),
      told: detail.flatMap(([name, value]) => TELLERS[name]?.(i18n, value) || []),
      raw: detail.map(([name, value]) => `${name}: ${value}`).join(' · '),
    };
  });
}

function gapOf({ t, locale }: I18n, ms: number): string {
  return ms < 1000 ? t('admin.atOnce') : t('admin.later', { time: formatDuration(ms / 1000, locale) });
}

function eventName({ t }: I18n, kind: string): string {
  return known(EVENT_KINDS, kind, (name) => t(`admin.events.${name}`)) || kind;
}

/** Stored detail of an event. Card numbers are redacted, because the note of a merchant may contain one. */
function detailOf(json: string): readonly (readonly [string, string])[] {
  return Object.entries(JSON.parse(json) as Record<string, unknown>).map(
    ([name, value]) => [name, maskCardNumbers(String(value))] as const,
  );
}

/** Returns the reason for the state of the order as a sentence. */
export function whyOf({ t }: I18n, order: Order, events: OrderEvents): string {
  if (order.reviewReason !== null) return t(`admin.reasons.${order.reviewReason}`);
  if (order.state !== 'cancelled') return t(`admin.why.${order.state}`);
  if (order.supersededBy !== null) return t('admin.why.replaced');
  const decided = events.some(
    ({ kind, detail }) => kind === 'decided' && detail.includes('"result":"cancelled"'),
  );
  return t(decided ? 'admin.why.decided' : 'admin.why.cancelled');
}
