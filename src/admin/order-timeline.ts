/** History of an order as text for the back office, with the stored detail of each event. */
import { TRIGGERS } from '../checkout/lookups.js';
import { REFUND_SOURCES } from '../checkout/settle-refund.js';
import type { findHistory } from '../db/history.js';
import type { Order } from '../db/orders.js';
import { ORDER_PAGE_JOBS } from '../db/outbox.js';
import { maskCardNumbers } from '../domain/card-data.js';
import { DECISIONS } from '../domain/decision.js';
import { CARRIERS, FULFILLMENT_STATES } from '../domain/fulfillment.js';
import { centavos, toPesosText } from '../domain/money.js';
import { ATTEMPT_STATES, ORDER_STATES, REVIEW_REASONS } from '../domain/order.js';
import { REFUND_STATES } from '../domain/refund.js';
import { formatMoney } from '../locales/format.js';
import type { I18n } from '../web/pages/shop-pages.js';
import type { AdminOrderPage } from './admin-view-models.js';
import { formatDuration, formatShortMoment } from './format-time.js';

export type OrderEvents = Awaited<ReturnType<typeof findHistory>>;

/** Event kinds with a translation. Kinds of other versions of the program are shown untranslated. */
const EVENT_KINDS = [
  'placed',
  'superseded',
  'contact_corrected',
  'address_corrected',
  'attempt_started',
  'attempt_opened',
  'attempt_failed',
  'attempt_declined',
  'attempt_unknown',
  'attempt_lapsed',
  'other_environment',
  'payment_found',
  'lookup_requested',
  'lookup_answered',
  'moved',
  'job_done',
  'job_retried',
  'personal_data_erased',
  'erasure_requested',
  'receipt_resent',
  'order_cancelled',
  'decided',
  'fulfillment_changed',
  'invoice_requested',
  'invoice_corrected',
  'refund_started',
  'refund_changed',
  'refund_repeated',
  'refund_unchanged',
  'stock_returned',
] as const;

const RESULTS = ['paid', 'pending', 'declined', 'expired', 'cancelled', 'review'] as const;

type DetailText = (i18n: I18n, value: string) => string;

/** Texts for the fields of an event detail. Other fields appear only in the raw detail. */
const DETAIL_TEXTS: Readonly<Record<string, DetailText>> = {
  attempt: ({ t }, ordinal) => t('admin.details.attempt', { ordinal }),
  gatewayStatus: ({ t }, gatewayStatus) => t('admin.details.gatewayStatus', { gatewayStatus }),
  result: ({ t }, value) =>
    translated(RESULTS, value, (result) =>
      t('admin.details.result', { result: t(`admin.results.${result}`) }),
    ),
  paidAmount: (i18n, value) => i18n.t('admin.details.paidAmount', { amount: amountText(i18n, value) }),
  paidCurrency: ({ t }, currency) => t('admin.details.paidCurrency', { currency }),
  expectedAmount: (i18n, value) =>
    i18n.t('admin.details.expectedAmount', { amount: amountText(i18n, value) }),
  trigger: ({ t }, value) =>
    translated(TRIGGERS, value, (trigger) =>
      t('admin.details.trigger', { trigger: t(`admin.triggers.${trigger}`) }),
    ),
  ms: ({ t }, ms) => t('admin.details.ms', { ms }),
  from: ({ t }, value) =>
    translated(ORDER_STATES, value, (state) =>
      t('admin.details.from', { state: t(`admin.states.${state}`) }),
    ),
  to: ({ t }, value) =>
    translated(ORDER_STATES, value, (state) => t('admin.details.to', { state: t(`admin.states.${state}`) })),
  state: ({ t }, value) => translated(ATTEMPT_STATES, value, (state) => t(`admin.attempts.${state}`)),
  // `null` clears the review reason.
  reason: ({ t }, value) =>
    translated(REVIEW_REASONS, value, (reason) => t(`admin.reasons.${reason}`)) ||
    (value === 'null' ? '' : t('admin.details.reason', { reason: value })),
  late: ({ t }, value) => (value === 'true' ? t('admin.details.late') : ''),
  erased: ({ t }, count) => t('admin.details.erased', { count }),
  review: countText('review'),
  payment: countText('payment'),
  shipment: countText('shipment'),
  refund: ({ t }, value) =>
    translated(REFUND_STATES, value, (state) =>
      t('admin.details.refund', { state: t(`admin.refunds.states.${state}`) }),
    ),
  amount: (i18n, value) => i18n.t('admin.details.amount', { amount: amountText(i18n, value) }),
  source: ({ t }, value) =>
    translated(REFUND_SOURCES, value, (source) => t(`admin.refunds.sources.${source}`)),
  by: ({ t }, user) => t('admin.details.user', { user }),
  replacedBy: ({ t }, number) => t('admin.details.replacedBy', { number }),
  job: ({ t }, value) =>
    translated(
      [...ORDER_PAGE_JOBS, 'order_link', 'merchant_review', 'refunded', 'on_refunded'] as const,
      value,
      (job) => t(`admin.jobs.${job}`),
    ),
  decision: ({ t }, value) => translated(DECISIONS, value, (decision) => t(`admin.decisions.${decision}`)),
  note: ({ t }, note) => t('admin.details.note', { note }),
};

/** Returns the text of the orders that wait for this reason; empty for 0. */
function countText(reason: 'review' | 'payment' | 'shipment'): DetailText {
  return ({ t }, count) => (count === '0' ? '' : t(`admin.details.waits.${reason}`, { count }));
}

function amountText({ locale }: I18n, value: string): string {
  return /^\d{1,15}$/.test(value) ? formatMoney(centavos(Number(value)), locale) : value;
}

/** Texts for the event `fulfillment_changed`, whose states have the field names of other events. */
const FULFILLMENT_TEXTS: Readonly<Record<string, DetailText>> = {
  from: ({ t }, value) =>
    translated(FULFILLMENT_STATES, value, (state) =>
      t('admin.details.from', { state: t(`fulfillment.states.${state}`) }),
    ),
  to: ({ t }, value) =>
    translated(FULFILLMENT_STATES, value, (state) =>
      t('admin.details.to', { state: t(`fulfillment.states.${state}`) }),
    ),
  carrier: ({ t }, value) =>
    translated(CARRIERS, value, (carrier) =>
      t('admin.details.carrier', { carrier: t(`fulfillment.carriers.${carrier}`) }),
    ),
  trackingNumber: ({ t }, trackingNumber) => t('admin.details.trackingNumber', { trackingNumber }),
  by: ({ t }, user) => t('admin.details.user', { user }),
};

/** Returns the text of a listed value. Empty for other values. */
function translated<T extends string>(
  values: readonly T[],
  value: string,
  textOf: (value: T) => string,
): string {
  const found = values.find((each) => each === value);
  return found === undefined ? '' : textOf(found);
}

/** Builds the event list in the order of `events`, with the time between two events. */
export function orderTimeline(i18n: I18n, events: OrderEvents): AdminOrderPage['events'] {
  return events.map((event, index) => {
    const previous = events[index - 1];
    const detail = detailOf(event.detail);
    const textOf = event.kind === 'fulfillment_changed' ? FULFILLMENT_TEXTS : DETAIL_TEXTS;
    return {
      at: formatShortMoment(event.at, i18n.locale),
      gap: previous ? gapOf(i18n, event.at - previous.at) : '',
      kind: eventName(i18n, event.kind),
      texts: detail.flatMap(([name, value]) => textOf[name]?.(i18n, value) || []),
      raw: detail.map(([name, value]) => `${name}: ${value}`).join(' · '),
    };
  });
}

/**
 * Returns amount and currency of an attempt's payment if they differ from the expected ones, from its last such lookup.
 * A part that the gateway did not name is a dash.
 */
export function differingPayment(events: OrderEvents, ordinal: number): string | undefined {
  const details = events.map(({ detail }) => Object.fromEntries(detailOf(detail)));
  const last = details.findLast(
    ({ attempt, expectedAmount }) => attempt === String(ordinal) && expectedAmount !== undefined,
  );
  if (!last) return undefined;
  const { paidAmount = '', paidCurrency = '—' } = last;
  const amount = /^\d{1,15}$/.test(paidAmount) ? toPesosText(centavos(Number(paidAmount))) : '—';
  return `${amount} ${paidCurrency}`;
}

function gapOf({ t, locale }: I18n, ms: number): string {
  return ms < 1000 ? t('admin.atOnce') : t('admin.later', { time: formatDuration(ms / 1000, locale) });
}

function eventName({ t }: I18n, kind: string): string {
  return translated(EVENT_KINDS, kind, (name) => t(`admin.events.${name}`)) || kind;
}

/**
 * Stored detail of an event. Card numbers are redacted, because the note of a merchant may contain one. Tracking numbers
 * are shown, because they were checked before they were stored.
 */
function detailOf(json: string): readonly (readonly [string, string])[] {
  return Object.entries(JSON.parse(json) as Record<string, unknown>).map(
    ([name, value]) =>
      [name, name === 'trackingNumber' ? String(value) : maskCardNumbers(String(value))] as const,
  );
}

/** Returns the reason for the state of the order as a sentence. */
export function stateReason({ t }: I18n, order: Order, events: OrderEvents): string {
  if (order.reviewReason !== null) return t(`admin.reasons.${order.reviewReason}`);
  if (order.state !== 'cancelled') return t(`admin.stateReasons.${order.state}`);
  if (order.supersededBy !== null) return t('admin.stateReasons.replaced');
  const decided = events.some(
    ({ kind, detail }) =>
      kind === 'order_cancelled' || (kind === 'decided' && detail.includes('"result":"cancelled"')),
  );
  return t(decided ? 'admin.stateReasons.decided' : 'admin.stateReasons.cancelled');
}
