/** History of an order as text for the back office, with the stored detail of each event. */

import type { findHistory } from '@tianguis/payments/back-office';
import {
  type Attempt,
  CURRENCY,
  centavos,
  maskCardNumbers,
  payingAttemptOf,
  toPesosText,
} from '@tianguis/payments/rules';
import type { I18n } from '../../locales/i18n.js';
import type { OrderRecord } from './order-record.js';

export type OrderEvents = Awaited<ReturnType<typeof findHistory>>;

/** Fields of an event detail whose value is a word of the program, with the messages of these words. Others are in `words`. */
const WORDS: Readonly<Record<string, string>> = {
  from: 'admin.states',
  to: 'admin.states',
  state: 'admin.attempts',
  decision: 'admin.decisions',
};
const AMOUNTS = ['paidAmount', 'expectedAmount', 'amount', 'discount', 'shippingPrice'];
const CENTAVOS = /^\d{1,15}$/;
/** Fields that are shown as stored. */
const PLAIN = [
  'attempt',
  'paidCurrency',
  'ms',
  'erased',
  'by',
  'replacedBy',
  'replaces',
  'note',
  'trackingNumber',
  'origin',
];
/** Orders that an erasure left out. */
const WAITING = ['review', 'payment', 'shipment'];

/** Builds the event list in the order of `events`, with the time between two events. Without `mayReadSales` it has no amounts. */
export function orderTimeline(i18n: I18n, events: OrderEvents, readsSales = true) {
  return events.map((event, index) => {
    const previous = events[index - 1];
    const stored = Object.entries(detailOf(event.detail));
    const detail = stored.filter(([name]) => readsSales || !AMOUNTS.includes(name));
    return {
      at: i18n.shortMoment(event.at),
      gap: previous ? gapOf(i18n, event.at - previous.at) : '',
      kind: messageOf(i18n, `events.${event.kind}`) ?? event.kind,
      texts: detail.map(([name, value]) => detailText(i18n, event.kind, name, value)).filter((text) => text !== ''),
      raw: readsSales ? detail.map(([name, value]) => `${name}: ${value}`).join(' · ') : '',
    };
  });
}

function gapOf({ t, duration }: I18n, ms: number): string {
  return ms < 1000 ? t('admin.atOnce') : t('admin.later', { time: duration(ms / 1000) });
}

/**
 * Stored detail of an event. Card numbers are redacted, because the note of a merchant may contain one. Tracking numbers
 * are shown, because they were checked before they were stored.
 */
function detailOf(json: string): Readonly<Record<string, string>> {
  const detail = Object.entries(JSON.parse(json) as Record<string, unknown>);
  return Object.fromEntries(
    detail.map(([name, value]) => [name, name === 'trackingNumber' ? String(value) : maskCardNumbers(String(value))]),
  );
}

/** Returns the text of a field. Empty for a field that appears only in the raw detail. */
function detailText(i18n: I18n, kind: string, name: string, value: string): string {
  // `null` clears the review reason.
  if (name === 'reason' && value === 'null') return '';
  if (name === 'reason') return messageOf(i18n, `admin.reasons.${value}`) ?? i18n.t('details.reason', { value });
  if (name === 'late') return value === 'true' ? i18n.t('details.late') : '';
  const shown = shownValue(i18n, kind, name, value);
  return shown && (messageOf(i18n, `details.${name}`, { value: shown }) ?? shown);
}

function shownValue(i18n: I18n, kind: string, name: string, value: string): string {
  const isState = name === 'from' || name === 'to';
  const word = messageOf(i18n, `words.${isState ? kind : name}.${value}`);
  if (word !== undefined) return word;
  if (name === 'job') return messageOf(i18n, `jobs.${value}`) ?? value;
  const section = WORDS[name];
  if (section) return messageOf(i18n, `${section}.${value}`) ?? '';
  if (name === 'gatewayStatus') return gatewayStatusText(i18n, value);
  if (WAITING.includes(name)) return value === '0' ? '' : value;
  if (AMOUNTS.includes(name) && CENTAVOS.test(value)) return i18n.money(centavos(Number(value)));
  return AMOUNTS.includes(name) || PLAIN.includes(name) ? value : '';
}

/** Returns the message of a stored word. `undefined` for a word of another version of the program. */
export function messageOf({ t }: I18n, key: string, values?: Readonly<Record<string, string>>): string | undefined {
  const text = t(key as Parameters<I18n['t']>[0], values);
  return text === key ? undefined : text;
}

/** Returns the gateway's own word, or our error code in plain words. */
export function gatewayStatusText(i18n: I18n, status: string): string {
  return messageOf(i18n, `admin.gatewayErrors.${status}`) ?? status;
}

/**
 * Returns amount and currency of an attempt's payment if they differ from the expected ones, from its last such lookup.
 * A part that the gateway did not name is a dash. `—` without such a lookup.
 */
export function differingPayment({ money }: I18n, events: OrderEvents, { ordinal }: Pick<Attempt, 'ordinal'>): string {
  const last = events
    .map(({ detail }) => detailOf(detail))
    .findLast(({ attempt, expectedAmount }) => attempt === String(ordinal) && expectedAmount !== undefined);
  if (!last) return '—';
  const { paidAmount = '', paidCurrency = '—' } = last;
  if (!CENTAVOS.test(paidAmount)) return `— ${paidCurrency}`;
  const amount = centavos(Number(paidAmount));
  return paidCurrency === CURRENCY ? money(amount) : `${toPesosText(amount)} ${paidCurrency}`;
}

type StateRecord = Pick<OrderRecord, 'order' | 'events' | 'attempts' | 'refunded'>;

/** Returns the reason for the state of the order as a sentence. */
export function stateReason({ t }: I18n, { order, events, attempts, refunded }: StateRecord): string {
  if (order.reviewReason !== null) return t(`admin.reasons.${order.reviewReason}`);
  if (refunded === 'reversed') return t('admin.stateReasons.reversed');
  if (payingAttemptOf(order, attempts)?.flow === 'outside') return t('admin.stateReasons.outside');
  if (order.state !== 'cancelled') return t(`admin.stateReasons.${order.state}`);
  if (order.supersededBy !== null) return t('admin.stateReasons.replaced');
  const decided = events.some(
    ({ kind, detail }) => kind === 'order_cancelled' || (kind === 'decided' && detail.includes('"result":"cancelled"')),
  );
  return t(decided ? 'admin.stateReasons.decided' : 'admin.stateReasons.cancelled');
}
