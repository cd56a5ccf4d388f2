import { needsPerson } from '../../core/decision.js';
import type { OrderState } from '../../core/order.js';
import type { Order } from '../../store/orders.js';
import { formatMoney } from '../../words/format.js';
import type { Reader } from '../pages/shop-pages.js';
import type { OrderTone } from '../view-models.js';
import { formatShortMoment } from './desk-times.js';
import type { DeskOrderRow } from './desk-view-models.js';

/** How a state looks at the desk. */
export const TONES = {
  created: 'waiting',
  pending: 'waiting',
  outcome_unknown: 'held',
  paid: 'good',
  declined: 'bad',
  expired: 'bad',
  cancelled: 'bad',
  review: 'held',
} as const satisfies Record<OrderState, OrderTone>;

/** An order in a list, or at the head of its own page. */
export function rowOf(reader: Reader, order: Order): DeskOrderRow {
  const { locale, t } = reader;
  return {
    number: order.number,
    href: deskPath(order),
    total: formatMoney(order.total, locale),
    state: t(`desk.states.${order.state}`),
    tone: needsPerson(order) ? 'held' : TONES[order.state],
    reason: reasonOf(reader, order),
    placed: formatShortMoment(order.createdAt, locale),
    since: formatShortMoment(order.updatedAt, locale),
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
