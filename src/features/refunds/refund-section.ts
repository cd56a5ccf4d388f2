/** The refunds section of the order page: per payment what was paid and returned, and each refund with its actions. */

import type { Refund, RefundOption } from '@tianguis/payments/back-office';
import type { Attempt } from '@tianguis/payments/rules';
import {
  type Centavos,
  centavos,
  isInFlight,
  REFUND_WAYS,
  type RefundState,
  type RefundWay,
  refundable,
  refundedTotal,
  sum,
} from '@tianguis/payments/rules';
import { type AdminOrderSection, factList, type OrderRecord, typedField } from '../../admin/order/order-record.js';
import { gatewayStatusText } from '../../admin/order/order-timeline.js';
import { attemptTitle } from '../../admin/order/review-section.js';
import type { I18n } from '../../locales/i18n.js';
import { startOfDay } from '../../shop/rules/mexico-day.js';
import { adminOrderPath, pathTo } from '../../web/paths.js';
import type { AdminAccess } from '../../web/request-context.js';
import type { Tone } from '../../web/tone.js';
import { refundsPaths } from './paths.js';

const TONES = {
  sending: 'waiting',
  succeeded: 'good',
  pending: 'waiting',
  refused: 'bad',
  unknown: 'review',
  recorded: 'good',
} as const satisfies Record<RefundState, Tone>;

/** Returns the ways in which a payment may be refunded now. */
export function refundWays({ ways, limit, inFlight }: RefundOption): readonly RefundWay[] {
  return inFlight || limit === 0 ? [] : REFUND_WAYS.filter((way) => ways.includes(way));
}

/** Builds the section. Absent if no payment may be refunded and none was. */
export function refundsSection(
  i18n: I18n,
  record: OrderRecord,
  options: readonly RefundOption[],
  admin: AdminAccess,
): AdminOrderSection | undefined {
  const { order, attempts } = record;
  const shown = attempts.flatMap((attempt) => {
    const option = options.find((each) => each.attempt.id === attempt.id);
    const refunds = record.refunds.filter(({ attemptId }) => attemptId === attempt.id);
    if (!option && refunds.length === 0) return [];
    return {
      title: attemptTitle(i18n, attempt),
      facts: refundFacts(i18n, attempt, refunds),
      links: (option ? refundWays(option) : []).map((way) => ({
        label: i18n.t(attempt.flow === 'outside' ? 'refunds.recordOutside' : `refunds.ways.${way}`),
        href: `${pathTo(refundsPaths.refundForm, order)}?attempt=${attempt.ordinal}&way=${way}`,
      })),
      refunds: refunds.map((refund) => refundOf(i18n, refund, option, record)),
    };
  });
  if (shown.length === 0) return undefined;
  // The first way is the preferred one.
  const reviewLinks = shown.flatMap(({ title, links }) =>
    links.slice(0, 1).map(({ label, href }) => ({ label: `${title}. ${label}`, href })),
  );
  return {
    view: '/refunds/views/refunds',
    place: 'aside',
    model: { href: adminOrderPath(order), version: String(order.version), attempts: shown },
    reviewLinks: order.reviewReason && admin.can(`GET ${refundsPaths.refundForm}`) ? reviewLinks : [],
  };
}

/** Builds the amounts of one payment. Chargebacks and open refunds are listed only if there are any. */
export function refundFacts({ t, money }: I18n, { confirmedAmount, state }: Attempt, refunds: readonly Refund[]) {
  const totalOf = (those: readonly Refund[]) => sum(those.map(({ amount }) => amount));
  const moneyIfAny = (amount: Centavos) => (amount > 0 ? money(amount) : '');
  const amounts = {
    paid: moneyIfAny(confirmedAmount ?? centavos(0)),
    refunded: money(refundedTotal(refunds)),
    chargedBack: moneyIfAny(totalOf(refunds.filter(({ kind }) => kind === 'chargeback'))),
    inFlight: moneyIfAny(totalOf(refunds.filter((refund) => isInFlight(refund.state)))),
    left: money(state === 'refunded' ? centavos(0) : refundable(confirmedAmount, refunds)),
  };
  return factList(amounts, (name) => t(`refunds.facts.${name}`));
}

function refundOf(i18n: I18n, refund: Refund, option: RefundOption | undefined, { refused }: OrderRecord) {
  const { t, money, day, shortMoment } = i18n;
  const { id, kind, state, amount, gatewayRefundId, gatewayStatus, refundedOn } = refund;
  const isReturned = state === 'succeeded' || state === 'recorded';
  const isOpen = state === 'unknown' || state === 'pending';
  const facts = {
    reason: refund.reason,
    day: refundedOn === null ? '' : day(startOfDay(refundedOn)),
    by: refund.by,
    at: shortMoment(refund.createdAt),
    gatewayRefundId: gatewayRefundId ?? '',
    // The status of a returned refund may be the error of an earlier call.
    gatewayStatus: isReturned || gatewayStatus === null ? '' : gatewayStatusText(i18n, gatewayStatus),
    stock: refund.returnsStock === 1 ? t('refunds.form.yes') : '',
  };
  return {
    id,
    title: t(`refunds.kinds.${kind}`, { amount: money(amount) }),
    state: t(`refunds.states.${state}`),
    tone: kind === 'chargeback' ? 'bad' : TONES[state],
    facts: factList(facts, (name) => t(`refunds.recorded.${name}`)),
    about: isReturned ? undefined : t(`refunds.about.${state}`),
    /** An admin user may check it, or answer from the gateway's dashboard. */
    isOpen,
    mayRepeat: state === 'unknown' && option?.ways.includes('gateway') === true,
    gatewayId: isOpen &&
      gatewayRefundId === null && {
        id: gatewayIdField(id),
        name: 'gateway_refund_id',
        autocapitalize: 'none',
        label: t('refunds.recorded.gatewayRefundId'),
        hint: t('refunds.idHint'),
        ...typedField(refused, gatewayIdField(id)),
      },
  };
}

/** Returns the name of the field for the gateway's id of a refund. The page may have several. */
export function gatewayIdField(refundId: string): string {
  return `gateway-id-${refundId}`;
}
