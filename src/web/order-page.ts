import type { Fulfillment } from '../db/fulfillments.js';
import type { Order } from '../db/orders.js';
import type { OrderLine } from '../domain/cart.js';
import type { DeclineReason } from '../domain/decline.js';
import { trackingLink } from '../domain/fulfillment.js';
import { type Centavos, times } from '../domain/money.js';
import type { OrderState } from '../domain/order.js';
import { addressLines } from '../locales/address.js';
import { formatMoment, formatMoney, formatTax } from '../locales/format.js';
import type { I18n } from './request-context.js';
import type { invoiceSection } from './routes/invoice.js';

export type OrderTone = 'good' | 'waiting' | 'bad' | 'review';

interface StateView {
  readonly tone: OrderTone;
  /** Refresh interval in seconds. Absent if no change is expected. */
  readonly refreshSeconds?: number;
  /** `tryAgain` only if a new payment cannot become a second one. */
  readonly actions: readonly ('tryAgain' | 'cart' | 'shop')[];
}

/** Presentation of each order state. A state without an entry does not compile. */
export const STATE_VIEWS = {
  created: { tone: 'waiting', actions: ['tryAgain', 'cart'] },
  pending: { tone: 'waiting', refreshSeconds: 3, actions: ['shop'] },
  outcome_unknown: { tone: 'review', refreshSeconds: 15, actions: ['shop'] },
  paid: { tone: 'good', actions: ['shop'] },
  declined: { tone: 'bad', actions: ['tryAgain', 'cart'] },
  expired: { tone: 'bad', actions: ['tryAgain', 'cart'] },
  cancelled: { tone: 'bad', actions: ['tryAgain', 'cart'] },
  review: { tone: 'review', refreshSeconds: 15, actions: ['shop'] },
} as const satisfies Record<OrderState, StateView>;

const ACTION_PATHS = { tryAgain: '/checkout', cart: '/cart', shop: '/' } as const;

/** Presentation of a closed order that may still become paid. It has no `tryAgain` action. */
const CLOSED_AND_WATCHED = { tone: 'waiting', refreshSeconds: 15, actions: ['cart', 'shop'] } as const;

/** Presentation of a paid order that needs the merchant, or whose money was returned. */
const PAID_AND_OVERSOLD = { tone: 'review', actions: ['shop'] } as const;
const PAID_AND_REFUNDED = { tone: 'bad', actions: ['shop'] } as const;

/** Facts about an order that follow from its attempts. */
export interface OrderFacts {
  /** The merchant refunded a payment of this order. */
  readonly refunded: boolean;
  /** The merchant refunded the payment that paid this order. */
  readonly orderRefunded: boolean;
  /** What was returned to the customer, of all payments of the order. 0 if nothing was, or if only a decision records it. */
  readonly refundedTotal: Centavos;
  /** The order is paid, and its products are sold out. */
  readonly oversold: boolean;
  /** The order is closed, and the worker still looks up a payment that may exist. */
  readonly closedAndWatched: boolean;
  /** The customer abandoned a 3D Secure page, and the bank may still approve the payment. */
  readonly gaveUpBankPage: boolean;
}

/** Details that are shown only in the session of the customer. */
export interface OwnDetail {
  readonly lines: readonly OrderLine[];
  /** URL of the open payment page. Absent if it can no longer be used. */
  readonly paymentUrl?: string;
  /** Whether the customer may abandon the 3D Secure page and pay again. */
  readonly mayPayAnotherWay: boolean;
  /** Decline reason of the last declined attempt. Absent if it is unknown or must not be shown. */
  readonly declineReason?: DeclineReason;
}

/** Returns how the order is shown, and the key of its messages. */
export function orderView(
  state: OrderState,
  { refunded, orderRefunded, oversold, closedAndWatched }: OrderFacts,
): StateView & { readonly key: OrderState | 'refunded' | 'oversold' | 'closedAndWatched' } {
  if (orderRefunded) return { key: 'refunded', ...PAID_AND_REFUNDED };
  if (oversold) return { key: 'oversold', ...PAID_AND_OVERSOLD };
  if (closedAndWatched) return { key: 'closedAndWatched', ...CLOSED_AND_WATCHED };
  return { key: refunded && state === 'cancelled' ? 'refunded' : state, ...STATE_VIEWS[state] };
}

/** Builds the model of views/order.ejs. Without `own` it has no personal data, and its only action links to the shop. */
export function orderPage(
  i18n: I18n,
  order: Order,
  {
    own,
    fulfillment,
    invoice,
    ...facts
  }: OrderFacts & {
    readonly own: OwnDetail | undefined;
    readonly fulfillment?: Fulfillment | undefined;
    readonly invoice?: ReturnType<typeof invoiceSection>;
  },
) {
  const { locale, t, publicPath } = i18n;
  const { key, tone, actions } = orderView(order.state, facts);
  const stateLinks = actions.map((action) => ({
    label: t(`actions.${action}`),
    href: publicPath(ACTION_PATHS[action]),
  }));
  const paymentLinks = [
    ...(own?.paymentUrl ? [{ label: t('actions.continuePayment'), href: own.paymentUrl }] : []),
    ...(own?.mayPayAnotherWay ? [{ label: t('actions.payAnotherWay'), href: '/checkout?pay_again=1' }] : []),
  ];
  const amount = formatMoney(facts.refundedTotal, locale);
  const returned = facts.refundedTotal > 0 ? t('order.refundedTotal', { amount }) : undefined;
  return {
    number: order.number,
    state: order.state,
    tone,
    heading: t(`states.${key}.heading`),
    paragraphs: [
      t(`states.${key}.what`),
      ...(own?.declineReason ? [t(`declines.${own.declineReason}`)] : []),
      ...(key === 'refunded' && returned !== undefined ? [] : [t(`states.${key}.money`)]),
      ...(returned === undefined ? [] : [returned]),
      t(`states.${key}.again`),
      ...(own?.mayPayAnotherWay || facts.gaveUpBankPage ? [t('order.bankMayApprove')] : []),
      ...secondPayment(i18n, order, facts),
    ],
    total: formatMoney(order.total, locale),
    statusPath: `/orders/${order.token}/status`,
    actions: own
      ? [...paymentLinks, ...stateLinks]
      : [{ label: t('actions.shop'), href: publicPath(ACTION_PATHS.shop) }],
    fulfillment: fulfillment && fulfillmentOf(i18n, fulfillment, own !== undefined),
    invoice,
    detail: own && detailOf(i18n, order, own.lines),
  };
}

/** The order link alone shows the state of the fulfillment, and no tracking number. */
function fulfillmentOf({ t }: I18n, { state, carrier, trackingNumber }: Fulfillment, isOwn: boolean) {
  const view = { state: t(`fulfillment.states.${state}`), text: t(`fulfillment.what.${state}`) };
  if (!isOwn || !carrier || !trackingNumber) return view;
  const name = carrier === 'other' ? '' : t(`fulfillment.carriers.${carrier}`);
  const href = trackingLink({ carrier, trackingNumber });
  return { ...view, shipment: { carrier: name, trackingNumber, href } };
}

function secondPayment(
  { t }: I18n,
  order: Order,
  { refunded, orderRefunded }: OrderFacts,
): readonly string[] {
  if (order.state !== 'paid') return [];
  if (order.reviewReason === 'second_payment') return [t('order.secondPayment')];
  return refunded && !orderRefunded ? [t('order.secondRefunded')] : [];
}

/** Returns the lines of an order as the views show them. */
export function orderLines({ t, locale }: I18n, lines: readonly OrderLine[]) {
  return lines.map((line) => {
    const { name, quantity, unitPrice, taxRate: rate } = line;
    const amount = formatTax([line], locale);
    return {
      name,
      quantity,
      lineTotal: formatMoney(times(unitPrice, quantity), locale),
      /** Rate and IVA, for the back office. */
      tax:
        rate === 'exempt'
          ? t('tax.exemptLine')
          : t(amount ? 'tax.at' : 'tax.none', { rate, amount: amount ?? '' }),
    };
  });
}

function detailOf(i18n: I18n, order: Order, lines: readonly OrderLine[]) {
  const { locale, t } = i18n;
  return {
    lines: orderLines(i18n, lines),
    tax: formatTax(lines, locale),
    name: `${order.firstName} ${order.lastName}`,
    email: order.email,
    shipping: order.shippingOption === 'none' ? undefined : t(`shipping.${order.shippingOption}.label`),
    address: addressLines(t, order),
    placedAt: formatMoment(order.createdAt, locale),
    paidAt: order.paidAt === null ? undefined : formatMoment(order.paidAt, locale),
  };
}
