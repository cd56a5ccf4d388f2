import type { DecisionOutcome } from '../checkout/decide-order.js';
import { EFFECT_LEASE_MS } from '../checkout/process-outbox.js';
import type { Attempt } from '../db/attempts.js';
import type { Order } from '../db/orders.js';
import type { Effect } from '../db/outbox.js';
import type { OrderLine } from '../domain/cart.js';
import { openDecisions } from '../domain/decision.js';
import { times } from '../domain/money.js';
import { formatMoment, formatMoney } from '../locales/format.js';
import type { Reader } from '../web/pages/shop-pages.js';
import { rowOf } from './desk-rows.js';
import { formatShortMoment } from './desk-times.js';
import type { DeskOrderPage } from './desk-view-models.js';
import { type OrderEvents, storyOf, whyOf } from './order-story.js';

/** Results of actions. The redirect carries the code in its query string, never a text. */
export const DESK_WORDS = [
  'done',
  'not_confirmed',
  'unreachable',
  'changed',
  'not_open',
  'checked',
  'hastened',
  'not_waiting',
] as const satisfies readonly (DecisionOutcome['kind'] | 'checked' | 'hastened' | 'not_waiting')[];
export type DeskWord = (typeof DESK_WORDS)[number];

/** All stored data of an order. */
export interface KnownOrder {
  readonly order: Order;
  readonly lines: readonly OrderLine[];
  readonly attempts: readonly Attempt[];
  readonly effects: readonly Effect[];
  readonly events: OrderEvents;
  readonly now: number;
}

/** Builds the model of the order page, with the decisions that are open. */
export function deskOrderPage(reader: Reader, known: KnownOrder, said: DeskWord | undefined): DeskOrderPage {
  const { t } = reader;
  const { order, attempts } = known;
  const choices = openDecisions(order);
  return {
    ...rowOf(reader, order),
    ...(said && { said: t(`desk.said.${said}`) }),
    why: whyOf(reader, order, known.events),
    facts: factsOf(reader, order),
    lines: linesOf(reader, known.lines),
    attempts: attempts.map((attempt) => attemptOf(reader, attempt)),
    effects: known.effects.map((effect) => effectOf(reader, effect, known.now)),
    events: storyOf(reader, known.events),
    version: String(order.version),
    choices: choices.map((value) => ({
      value,
      label: t(`desk.decisions.${value}.label`),
      hint: t(`desk.decisions.${value}.hint`),
    })),
    asksServiceId: choices.includes('confirm') && attempts.some(({ serviceId }) => serviceId === null),
  };
}

function factsOf({ locale, t }: Reader, order: Order): DeskOrderPage['facts'] {
  const paid =
    order.paidAt === null ? [] : [{ label: t('desk.facts.paid'), value: formatMoment(order.paidAt, locale) }];
  return [
    { label: t('desk.facts.placed'), value: formatMoment(order.createdAt, locale) },
    ...paid,
    { label: t('desk.facts.name'), value: `${order.firstName} ${order.lastName}` },
    { label: t('desk.facts.email'), value: order.email },
  ];
}

function linesOf({ locale }: Reader, lines: readonly OrderLine[]): DeskOrderPage['lines'] {
  return lines.map((line) => ({
    name: line.name,
    quantity: line.quantity,
    lineTotal: formatMoney(times(line.unitPrice, line.quantity), locale),
  }));
}

function attemptOf({ t }: Reader, attempt: Attempt): DeskOrderPage['attempts'][number] {
  return {
    title: t('desk.attempt', { ordinal: attempt.ordinal, kind: t(`desk.kinds.${attempt.kind}`) }),
    state: t(`desk.attempts.${attempt.state}`),
    words: attempt.words ?? '—',
    reference: attempt.reference,
    serviceId: attempt.serviceId ?? '—',
  };
}

function effectOf({ t, locale }: Reader, effect: Effect, now: number): DeskOrderPage['effects'][number] {
  const { doneAt, lastFault, tries, nextAt } = effect;
  const base = { effect: effect.effect, name: t(`desk.effects.${effect.effect}`) };
  const tried = t('desk.effect.tries', { tries });
  if (doneAt !== null) {
    const at = formatShortMoment(doneAt, locale);
    const lines = [t('desk.effect.doneAt', { at }), tried];
    return { ...base, state: t('desk.effect.done'), tone: 'good', mayRetry: false, lines };
  }
  return {
    ...base,
    state: t(lastFault === null ? 'desk.effect.waiting' : 'desk.effect.failing'),
    tone: lastFault === null ? 'waiting' : 'bad',
    mayRetry: nextAt > now + EFFECT_LEASE_MS,
    lines: [
      tried,
      ...(lastFault === null ? [] : [t('desk.effect.fault', { fault: lastFault })]),
      t('desk.effect.next', { at: formatShortMoment(nextAt, locale) }),
    ],
  };
}
