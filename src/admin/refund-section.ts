/** The refunds section of the order page: per payment what was paid and returned, and each refund with its actions. */
import type { RefundOption } from '../checkout/refund-payment.js';
import type { Attempt } from '../db/attempts.js';
import type { Order } from '../db/orders.js';
import type { Refund } from '../db/refunds.js';
import { type Centavos, sum } from '../domain/money.js';
import {
  isInFlight,
  REFUND_WAYS,
  type RefundState,
  type RefundWay,
  refundable,
  refundedTotal,
} from '../domain/refund.js';
import { formatMoney } from '../locales/format.js';
import type { I18n } from '../web/pages/shop-pages.js';
import type { FieldErrorView, OrderTone } from '../web/view-models.js';
import type { AdminRefund, AdminRefunds } from './admin-view-models.js';
import { formatShortMoment } from './format-time.js';
import { adminOrderPath } from './order-rows.js';

const TONES = {
  sending: 'waiting',
  succeeded: 'good',
  pending: 'waiting',
  refused: 'bad',
  unknown: 'review',
  recorded: 'good',
} as const satisfies Record<RefundState, OrderTone>;

/** A refused gateway id of a refund. */
export interface RefusedCheck {
  readonly refundId: string;
  readonly typed: string;
}

export interface RefundsRecord {
  readonly order: Order;
  readonly attempts: readonly Attempt[];
  readonly refunds: readonly Refund[];
  readonly refundOptions: readonly RefundOption[];
  readonly refusedCheck: RefusedCheck | undefined;
}

/** Returns the ways in which a payment may be refunded now. */
export function refundWays({ byGateway, limit, inFlight }: RefundOption): readonly RefundWay[] {
  if (inFlight || limit === 0) return [];
  return byGateway ? REFUND_WAYS : REFUND_WAYS.filter((way) => way !== 'gateway');
}

/** Builds the section. Absent if no payment may be refunded and none was. */
export function refundsSection(i18n: I18n, record: RefundsRecord): AdminRefunds | undefined {
  const { order, attempts, refundOptions } = record;
  const { t } = i18n;
  const shown = attempts.flatMap((attempt) => {
    const option = refundOptions.find((each) => each.attempt.id === attempt.id);
    const refunds = record.refunds.filter(({ attemptId }) => attemptId === attempt.id);
    if (!option && refunds.length === 0) return [];
    const { ordinal, flow } = attempt;
    const title = t('admin.attempt', { ordinal, flow: t(`admin.flows.${flow}`) });
    const links = option ? refundWays(option) : [];
    return {
      title,
      facts: factsOf(i18n, attempt, refunds),
      links: links.map((way) => ({
        label: t(`admin.refunds.ways.${way}`),
        href: `${adminOrderPath(order)}/refund?attempt=${ordinal}&way=${way}`,
      })),
      refunds: refunds.map((refund) => refundOf(i18n, refund, option, record.refusedCheck)),
    };
  });
  if (shown.length === 0) return undefined;
  // The first way is the preferred one.
  const first = shown.flatMap(({ title, links }) =>
    links.slice(0, 1).map(({ label, href }) => ({ label: `${title}. ${label}`, href })),
  );
  return { version: String(order.version), attempts: shown, reviewLinks: order.reviewReason ? first : [] };
}

/** Builds the amounts of one payment. Chargebacks and open refunds are listed only if there are any. */
export function factsOf(
  { t, locale }: I18n,
  { confirmedAmount, state }: Attempt,
  refunds: readonly Refund[],
): AdminRefunds['attempts'][number]['facts'] {
  const totalOf = (those: readonly Refund[]) => sum(those.map(({ amount }) => amount));
  const amounts = {
    paid: confirmedAmount ?? (0 as Centavos),
    refunded: refundedTotal(refunds),
    chargedBack: totalOf(refunds.filter(({ kind }) => kind === 'chargeback')),
    inFlight: totalOf(refunds.filter((refund) => isInFlight(refund.state))),
    left: state === 'refunded' ? (0 as Centavos) : refundable(confirmedAmount, refunds),
  };
  return (['paid', 'refunded', 'chargedBack', 'inFlight', 'left'] as const)
    .filter((name) => amounts[name] > 0 || name === 'refunded' || name === 'left')
    .map((name) => ({
      label: t(`admin.refunds.facts.${name}`),
      value: formatMoney(amounts[name], locale),
    }));
}

function refundOf(
  { t, locale }: I18n,
  refund: Refund,
  option: RefundOption | undefined,
  refused: RefusedCheck | undefined,
): AdminRefund {
  const { id, kind, state, amount, gatewayRefundId } = refund;
  const isReturned = state === 'succeeded' || state === 'recorded';
  const facts = {
    reason: refund.reason,
    day: refund.refundedOn ?? '',
    by: refund.by,
    at: formatShortMoment(refund.createdAt, locale),
    gatewayRefundId: gatewayRefundId ?? '',
    // Of a refund that an admin user answered, it is the old error.
    gatewayStatus: isReturned ? '' : (refund.gatewayStatus ?? ''),
    stock: refund.returnsStock === 1 ? t('admin.refund.yes') : '',
  };
  const isOpen = state === 'unknown' || state === 'pending';
  const isRefused = refused?.refundId === id;
  return {
    id,
    title: t(`admin.refunds.kinds.${kind}`, { amount: formatMoney(amount, locale) }),
    state: t(`admin.refunds.states.${state}`),
    tone: kind === 'chargeback' ? 'bad' : TONES[state],
    facts: (['reason', 'day', 'by', 'at', 'gatewayRefundId', 'gatewayStatus', 'stock'] as const)
      .filter((name) => facts[name] !== '')
      .map((name) => ({ label: t(`admin.refunds.fields.${name}`), value: facts[name] })),
    ...(!isReturned && { about: t(`admin.refunds.about.${state}`) }),
    isOpen,
    mayRepeat: state === 'unknown' && option?.byGateway === true,
    ...(isOpen &&
      gatewayRefundId === null && {
        gatewayId: {
          value: isRefused ? refused.typed : '',
          ...(isRefused && { error: t('admin.refunds.idProblem') }),
        },
      }),
  };
}

/** Returns the error message of a refused check. It links to its field. */
export function refundErrors({ t }: I18n, refused: RefusedCheck | undefined): readonly FieldErrorView[] {
  return refused ? [{ field: `gateway-id-${refused.refundId}`, message: t('admin.refunds.idProblem') }] : [];
}
