import { needsReview, reasonToReview } from '@tianguis/payments/rules';
import type { I18n } from '../../locales/i18n.js';
import { fullName } from '../../shop/rules/contact.js';
import type { Order } from '../../tables/orders.js';
import { adminOrderPath } from '../../web/paths.js';
import { STATE_TONES } from '../../web/tone.js';

type Refunded = 'full' | 'partial' | 'reversed' | undefined;

/** Returns the badge of an order whose money was returned. */
export function refundedText({ t }: Pick<I18n, 't'>, refunded: Refunded): string | undefined {
  return refunded && t(`admin.refunded.${refunded}`);
}

/** Builds the model of an order in a list or at the top of its page. */
export function orderRow({ t }: I18n, order: Order, refunded: Refunded) {
  const { number, state, email, phone, createdAt, updatedAt } = order;
  const reason = reasonToReview(order);
  return {
    number,
    href: adminOrderPath(order),
    customer: fullName(order),
    /** The e-mail address, or the phone number without one. The line may break before the `@`. Empty after an erasure. */
    reachParts: (email || phone).split(/(?=@)/).filter((part) => part !== ''),
    state: t(`admin.states.${state}`),
    tone: needsReview(order) ? 'review' : STATE_TONES[state],
    refunded: refundedText({ t }, refunded),
    /** Why it needs review, as a sentence. */
    reason: reason && t(`admin.reasons.${reason}`),
    createdAt,
    updatedAt,
  };
}
