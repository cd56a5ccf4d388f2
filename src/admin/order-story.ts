/** History of an order as text for the back office, with the stored detail of each event. */
import { TRIGGERS } from '../checkout/trigger.js';
import type { findHistory } from '../db/history.js';
import type { Order } from '../db/orders.js';
import { PAID_EFFECTS } from '../db/outbox.js';
import { blotCardNumbers } from '../domain/card-data.js';
import { DECISIONS } from '../domain/decision.js';
import { ATTEMPT_STATES, ORDER_STATES } from '../domain/order.js';
import type { Reader } from '../web/pages/shop-pages.js';
import { formatDuration, formatShortMoment } from './desk-times.js';
import type { DeskOrderPage } from './desk-view-models.js';

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
  'service_said',
  'moved',
  'effect_done',
  'effect_retried',
  'shopper_forgotten',
  'decided',
] as const;

const VERDICTS = ['paid', 'pending', 'declined', 'expired', 'cancelled', 'hold'] as const;
const ATTENTION = [
  ...['unclear_status', 'other_id', 'other_amount', 'other_currency', 'other_reference', 'overdue'],
  ...['not_found', 'no_answer', 'other_environment'],
  'second_payment',
] as const;

type Teller = (reader: Reader, value: string) => string;

/** Texts for the fields of an event detail. Other fields appear only in the raw detail. */
const TELLERS: Readonly<Record<string, Teller>> = {
  attempt: ({ t }, ordinal) => t('desk.tells.attempt', { ordinal }),
  words: ({ t }, words) => t('desk.tells.words', { words }),
  verdict: ({ t }, value) =>
    known(VERDICTS, value, (verdict) => t('desk.tells.verdict', { verdict: t(`desk.verdicts.${verdict}`) })),
  trigger: ({ t }, value) =>
    known(TRIGGERS, value, (trigger) => t('desk.tells.trigger', { trigger: t(`desk.triggers.${trigger}`) })),
  ms: ({ t }, ms) => t('desk.tells.ms', { ms }),
  from: ({ t }, value) =>
    known(ORDER_STATES, value, (state) => t('desk.tells.from', { state: t(`desk.states.${state}`) })),
  to: ({ t }, value) =>
    known(ORDER_STATES, value, (state) => t('desk.tells.to', { state: t(`desk.states.${state}`) })),
  state: ({ t }, value) => known(ATTEMPT_STATES, value, (state) => t(`desk.attempts.${state}`)),
  reason: ({ t }, value) =>
    known(ATTENTION, value, (reason) => t(`desk.reasons.${reason as 'overdue'}`)) ||
    t('desk.tells.reason', { reason: value }),
  late: ({ t }, value) => (value === 'true' ? t('desk.tells.late') : ''),
  by: ({ t }, number) => t('desk.tells.by', { number }),
  effect: ({ t }, value) =>
    known([...PAID_EFFECTS, 'order_link' as const], value, (effect) => t(`desk.effects.${effect}`)),
  decision: ({ t }, value) => known(DECISIONS, value, (decision) => t(`desk.decisions.${decision}.label`)),
  note: ({ t }, note) => t('desk.tells.note', { note }),
};

function known<T extends string>(words: readonly T[], value: string, tell: (word: T) => string): string {
  const word = words.find((each) => each === value);
  return word === undefined ? '' : tell(word);
}

/** Builds the event list in the order of `events`, with the time between two events. */
export function storyOf(reader: Reader, events: OrderEvents): DeskOrderPage['events'] {
  return events.map((event, place) => {
    const before = events[place - 1];
    const detail = detailOf(event.detail);
    return {
      at: formatShortMoment(event.at, reader.locale),
      gap: before ? gapOf(reader, event.at - before.at) : '',
      kind: eventName(reader, event.kind),
      told: detail.flatMap(([name, value]) => TELLERS[name]?.(reader, value) || []),
      raw: detail.map(([name, value]) => `${name}: ${value}`).join(' · '),
    };
  });
}

function gapOf({ t, locale }: Reader, ms: number): string {
  return ms < 1000 ? t('desk.atOnce') : t('desk.later', { time: formatDuration(ms / 1000, locale) });
}

function eventName({ t }: Reader, kind: string): string {
  return known(EVENT_KINDS, kind, (name) => t(`desk.events.${name}`)) || kind;
}

/** Stored detail of an event. Card numbers are redacted, because the note of a merchant may contain one. */
function detailOf(json: string): readonly (readonly [string, string])[] {
  return Object.entries(JSON.parse(json) as Record<string, unknown>).map(
    ([name, value]) => [name, blotCardNumbers(String(value))] as const,
  );
}

/** Returns the reason for the state of the order as a sentence. */
export function whyOf({ t }: Reader, order: Order, events: OrderEvents): string {
  if (order.attention !== null) return t(`desk.reasons.${order.attention}`);
  if (order.state !== 'cancelled') return t(`desk.why.${order.state}`);
  if (order.supersededBy !== null) return t('desk.why.replaced');
  const decided = events.some(
    ({ kind, detail }) => kind === 'decided' && detail.includes('"result":"cancelled"'),
  );
  return t(decided ? 'desk.why.decided' : 'desk.why.cancelled');
}
