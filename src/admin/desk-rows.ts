import type { Order } from '../db/orders.js';
import { needsPerson } from '../domain/decision.js';
import type { OrderState } from '../domain/order.js';
import { formatMoney } from '../locales/format.js';
import type { Reader } from '../web/pages/shop-pages.js';
import type { OrderTone } from '../web/view-models.js';
import { formatShortMoment } from './desk-times.js';
import type { DeskOrderRow } from './desk-view-models.js';

/** Tone of each order state in the back office. */
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

/** Builds the model of an order in a list or at the top of its page. */
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

/** Returns the path of an order in the back office. */
export function deskPath({ number }: Pick<Order, 'number'>): string {
  return `/admin/orders/${number}`;
}

/** Review reason as a sentence. Empty if the order needs no review. */
function reasonOf({ t }: Reader, { attention, state }: Order): string {
  if (attention !== null) return t(`desk.reasons.${attention}`);
  return state === 'outcome_unknown' ? t('desk.reasons.outcome_unknown') : '';
}
