import type { DecisionOutcome } from '../../checkout/decide-order.js';
import type { OrderLine } from '../../core/cart.js';
import { openDecisions } from '../../core/decision.js';
import { times } from '../../core/money.js';
import type { OrderState } from '../../core/order.js';
import type { Attempt } from '../../store/attempts.js';
import type { findHistory } from '../../store/history.js';
import type { Order } from '../../store/orders.js';
import { formatMoment, formatMoney } from '../../words/format.js';
import type { Reader } from '../pages/shop-pages.js';
import type { DeskOrderPage, DeskOrderRow, DeskOrdersPage, OrderTone } from '../view-models.js';

type OrderEvents = Awaited<ReturnType<typeof findHistory>>;

const TONES = {
  created: 'waiting',
  pending: 'waiting',
  outcome_unknown: 'held',
  paid: 'good',
  declined: 'bad',
  expired: 'bad',
  cancelled: 'bad',
  review: 'held',
} as const satisfies Record<OrderState, OrderTone>;

/** What happens in an order's history; words that an older or newer program wrote are shown as they are. */
const EVENT_KINDS = [
  'placed',
  'superseded',
  'contact_corrected',
  'attempt_started',
  'attempt_opened',
  'attempt_failed',
  'attempt_unknown',
  'attempt_lapsed',
  'payment_found',
  'service_said',
  'moved',
  'effect_done',
  'decided',
] as const;

/** What the desk says after it has done something; the address carries the word, never a text. */
export const DESK_WORDS = [
  'done',
  'not_confirmed',
  'unreachable',
  'changed',
  'not_open',
  'checked',
] as const satisfies readonly (DecisionOutcome['kind'] | 'checked')[];
export type DeskWord = (typeof DESK_WORDS)[number];

/** Orders that wait for a person, the newest ones, and a field to find one by its number. */
export function deskOrdersPage(
  reader: Reader,
  orders: { readonly waiting: readonly Order[]; readonly newest: readonly Order[] },
  find: { readonly value: string; readonly error?: string },
): DeskOrdersPage {
  return {
    waiting: orders.waiting.map((order) => rowOf(reader, order)),
    newest: orders.newest.map((order) => rowOf(reader, order)),
    find,
  };
}

function rowOf(reader: Reader, order: Order): DeskOrderRow {
  const { locale, t } = reader;
  return {
    number: order.number,
    href: deskPath(order),
    total: formatMoney(order.total, locale),
    state: t(`desk.states.${order.state}`),
    tone: TONES[order.state],
    reason: reasonOf(reader, order),
    since: formatMoment(order.updatedAt, locale),
  };
}

export function deskPath({ number }: Pick<Order, 'number'>): string {
  return `/admin/orders/${number}`;
}

/** Why an order waits for a person, in a sentence; empty when it does not. */
function reasonOf({ t }: Reader, { attention, state }: Order): string {
  if (attention !== null) return t(`desk.reasons.${attention}`);
  return state === 'outcome_unknown' ? t('desk.reasons.outcome_unknown') : '';
}

interface DeskOrder {
  readonly order: Order;
  readonly lines: readonly OrderLine[];
  readonly attempts: readonly Attempt[];
  readonly events: OrderEvents;
}

/** One order with everything that is known of it, and what may be decided. */
export function deskOrderPage(reader: Reader, known: DeskOrder, said: DeskWord | undefined): DeskOrderPage {
  const { locale, t } = reader;
  const { order } = known;
  const choices = openDecisions(order);
  return {
    ...rowOf(reader, order),
    ...(said && { said: t(`desk.said.${said}`) }),
    facts: [
      { label: t('desk.facts.placed'), value: formatMoment(order.createdAt, locale) },
      ...(order.paidAt === null
        ? []
        : [{ label: t('desk.facts.paid'), value: formatMoment(order.paidAt, locale) }]),
      { label: t('desk.facts.name'), value: `${order.firstName} ${order.lastName}` },
      { label: t('desk.facts.email'), value: order.email },
    ],
    lines: known.lines.map((line) => ({
      name: line.name,
      quantity: line.quantity,
      lineTotal: formatMoney(times(line.unitPrice, line.quantity), locale),
    })),
    attempts: known.attempts.map((attempt) => ({
      title: t('desk.attempt', { ordinal: attempt.ordinal, kind: t(`desk.kinds.${attempt.kind}`) }),
      state: t(`desk.attempts.${attempt.state}`),
      words: attempt.words ?? '—',
      reference: attempt.reference,
      serviceId: attempt.serviceId ?? '—',
    })),
    events: known.events.map((event) => ({
      at: formatMoment(event.at, locale),
      kind: eventName(reader, event.kind),
      detail: detailOf(event.detail),
    })),
    version: String(order.version),
    choices: choices.map((value) => ({
      value,
      label: t(`desk.decisions.${value}.label`),
      hint: t(`desk.decisions.${value}.hint`),
    })),
    asksServiceId: choices.includes('confirm') && known.attempts.some(({ serviceId }) => serviceId === null),
  };
}

function eventName({ t }: Reader, kind: string): string {
  const known = EVENT_KINDS.find((name) => name === kind);
  return known ? t(`desk.events.${known}`) : kind;
}

/** `from: pending · to: paid`, from the JSON that was kept. */
function detailOf(json: string): string {
  return Object.entries(JSON.parse(json) as Record<string, unknown>)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(' · ');
}
