import type { Order } from '../db/orders.js';
import { needsReview } from '../domain/decision.js';
import { formatMoney } from '../locales/format.js';
import { STATE_VIEWS } from '../web/order-page.js';
import type { I18n } from '../web/request-context.js';
import { formatShortMoment } from './format-time.js';

/** Builds the model of an order in a list or at the top of its page. */
export function orderRow(i18n: I18n, order: Order) {
  const { locale, t } = i18n;
  return {
    number: order.number,
    href: adminOrderPath(order),
    total: formatMoney(order.total, locale),
    customer: `${order.firstName} ${order.lastName}`.trim(),
    email: order.email,
    state: t(`admin.states.${order.state}`),
    tone: needsReview(order) ? 'review' : STATE_VIEWS[order.state].tone,
    reason: reasonOf(i18n, order),
    placed: formatShortMoment(order.createdAt, locale),
    since: formatShortMoment(order.updatedAt, locale),
  };
}

/** Returns the path of an order in the back office. */
export function adminOrderPath({ number }: Pick<Order, 'number'>): string {
  return `/admin/orders/${number}`;
}

/** Review reason as a sentence. Empty if the order needs no review. */
function reasonOf({ t }: I18n, { reviewReason, state }: Order): string {
  if (reviewReason !== null) return t(`admin.reasons.${reviewReason}`);
  return state === 'outcome_unknown' ? t('admin.reasons.outcome_unknown') : '';
}
