import type { Order } from '../db/orders.js';
import { needsReview } from '../domain/decision.js';
import type { I18n } from '../locales/i18n.js';
import { STATE_VIEWS } from '../web/order-page.js';

/** Builds the model of an order in a list or at the top of its page. */
export function orderRow({ t }: I18n, order: Order) {
  const { number, state, total, firstName, lastName, email, createdAt, updatedAt } = order;
  const reason = order.reviewReason ?? (state === 'outcome_unknown' ? state : undefined);
  return {
    number,
    href: adminOrderPath(order),
    total,
    customer: `${firstName} ${lastName}`.trim(),
    email,
    state: t(`admin.states.${state}`),
    tone: needsReview(order) ? 'review' : STATE_VIEWS[state].tone,
    /** Why it needs review, as a sentence. */
    reason: reason && t(`admin.reasons.${reason}`),
    createdAt,
    updatedAt,
  };
}

/** Returns the path of an order in the back office. */
export function adminOrderPath({ number }: Pick<Order, 'number'>): string {
  return `/admin/orders/${number}`;
}
