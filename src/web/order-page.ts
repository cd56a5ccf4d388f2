import { isDeclinedOnPage, payAgainTime } from '../checkout/decide-start.js';
import { type Attempt, isPayable, payingAttemptOf } from '../db/attempts.js';
import type { Fulfillment } from '../db/fulfillments.js';
import type { Order } from '../db/orders.js';
import type { Refund } from '../db/refunds.js';
import type { OrderLine } from '../domain/cart.js';
import { isCharge } from '../domain/charges.js';
import { fullName } from '../domain/contact.js';
import type { DeclineReason } from '../domain/decline.js';
import { times } from '../domain/money.js';
import { isPayableAt, type OrderState, type PaymentFlow } from '../domain/order.js';
import { refundedTotal } from '../domain/refund.js';
import { addressLines } from '../locales/address.js';
import { orderStatusPath, paths } from './paths.js';
import type { PageI18n } from './request-context.js';

/** A part of a page that a feature adds. The view reads the model as `it.model`. */
export interface Section {
  /** Path below `views/`, such as `/partials/admin-sales`. */
  readonly view: string;
  readonly model: object;
}

/** A section of the customer's order page. */
export interface OrderSection extends Section {
  /** What the top of the page of a paid order shows instead of the section. At most one feature has it. */
  readonly lead?: OrderLead;
}

export interface OrderLead {
  readonly heading: string;
  readonly tone: OrderTone;
  readonly icon: OrderIcon;
  readonly paragraphs: readonly string[];
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly action: { readonly label: string; readonly href: string } | undefined;
}

export type OrderIcon = OrderTone | 'parcel' | 'truck' | 'bag';
export type OrderTone = 'good' | 'waiting' | 'bad' | 'review';

interface StateView {
  readonly tone: OrderTone;
  /** Refresh interval in seconds. Absent if no change is expected. */
  readonly refreshSeconds?: number | undefined;
  /** `tryAgain` only if no earlier payment is unconfirmed, except on an abandoned bank page. */
  readonly actions: readonly ('tryAgain' | 'cart' | 'shop')[];
  /** Default: that of the tone. */
  readonly icon?: OrderIcon;
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

const ACTION_PATHS = { cart: paths.cart, shop: paths.home } as const;

/** Presentation of a closed order that may still become paid. It has no `tryAgain` action. */
const MAY_BE_PAID_LATE = { tone: 'waiting', actions: ['cart', 'shop'] } as const;
/** Such a page refreshes itself every minute, until an hour after the payment page was closed. */
const LATE_REFRESH_S = 60;
const LATE_REFRESH_MS = 60 * 60_000;

/** Presentation of a paid order that needs the merchant, or whose money was returned, which is no error. */
const PAID_AND_OVERSOLD = { tone: 'review', actions: ['shop'] } as const;
const PAID_AND_REFUNDED = { tone: 'good', actions: ['shop'] } as const;

/** Presentation of a cancelled order. Its customer may have cancelled it, so it is no failure. */
const CANCELLED_VIEW = { tone: 'waiting', icon: 'bag' } as const;

const CLOSED: readonly OrderState[] = ['declined', 'expired', 'cancelled'];

/** Returns whether the customer may start another attempt for an order in this state. */
function isUnpaid(state: OrderState): boolean {
  return state === 'created' || CLOSED.includes(state);
}

interface OrderRecords {
  readonly order: Order;
  readonly attempts: readonly Attempt[];
  readonly refunds: readonly Refund[];
  readonly fulfillment: Fulfillment | undefined;
  /** False if a lookup returned no payment or the database failed. */
  readonly lookupsSucceeded: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns what the page of an order shows beside its state. */
export function orderFacts({ order, attempts, refunds, fulfillment, lookupsSucceeded, now }: OrderRecords) {
  const superseded = attempts.filter((each) => each.state === 'superseded' && isPayable(each));
  const isUncertain = superseded.length > 0 && (order.state !== 'declined' || !lookupsSucceeded);
  const lastOffer = Math.max(...superseded.map(({ offerEndsAt }) => offerEndsAt));
  // A paid order whose products are missing has a review reason.
  const mayBeOversold = order.state === 'paid' && order.reviewReason !== null;
  return {
    /** The merchant refunded a payment of this order. */
    refunded: attempts.some(({ state }) => state === 'refunded'),
    /** The merchant refunded the payment that paid this order. */
    orderRefunded: payingAttemptOf(order, attempts)?.state === 'refunded',
    /** Of all payments of the order. 0 if nothing was returned, or if only a decision records it. */
    refundedTotal: refundedTotal(refunds),
    /** The order is paid, and its products are sold out. */
    oversold: mayBeOversold && fulfillment?.stockTaken === 0,
    /** A caller sends an attempt to the gateway now. */
    isStarting: attempts.some(({ state }) => state === 'creating') && isUnpaid(order.state),
    /** The order is closed, and the worker still looks up a payment that may exist. */
    mayBePaidLate: isUncertain && CLOSED.includes(order.state),
    /** The gateway has not ended an attempt that is no longer offered. */
    hasUnendedAttempt: superseded.length > 0 && order.state !== 'paid',
    lateRefreshSeconds: now < lastOffer + LATE_REFRESH_MS ? LATE_REFRESH_S : undefined,
    /** When the customer may start another attempt. Absent: now, or not by time. */
    payAgainFrom: payAgainTime(attempts, now),
    /** The order can be paid from its link. */
    isPayable: isPayableAt(order, now),
    /** The bank declined the last card on the open payment page, which takes another one. */
    isDeclinedOnPage: order.state === 'pending' && attempts.some(isDeclinedOnPage),
    /** The customer abandoned a 3D Secure page, and the bank may still approve the payment. */
    abandonedBankPage: order.state !== 'paid' && superseded.some(({ abandonedAt }) => abandonedAt !== null),
  };
}

type OrderFacts = ReturnType<typeof orderFacts>;

/** Keys of the messages in `states`. `closed`: a cancelled order whose link has ended. */
type ViewKey = OrderState | 'refunded' | 'oversold' | 'mayBePaidLate' | 'watched' | 'declinedOnPage' | 'closed';

/** Returns how the order is shown, and the key of its messages. */
export function orderView(state: OrderState, facts: OrderFacts): StateView & { readonly key: ViewKey } {
  const { orderRefunded, oversold, isStarting, mayBePaidLate, lateRefreshSeconds, payAgainFrom } = facts;
  if (orderRefunded) return { key: 'refunded', ...PAID_AND_REFUNDED };
  if (oversold) return { key: 'oversold', ...PAID_AND_OVERSOLD };
  if (isStarting) return { key: 'pending', ...STATE_VIEWS.pending };
  if (facts.isDeclinedOnPage) return { key: 'declinedOnPage', ...STATE_VIEWS.pending, tone: 'bad' };
  if (mayBePaidLate) {
    const key = state === 'expired' ? 'watched' : 'mayBePaidLate';
    return { key, ...MAY_BE_PAID_LATE, refreshSeconds: lateRefreshSeconds };
  }
  const view: StateView = STATE_VIEWS[state];
  // Another attempt would not start yet.
  const actions = payAgainFrom === undefined ? view.actions : view.actions.filter((action) => action !== 'tryAgain');
  if (state === 'cancelled') return { key: cancelledKey(facts), ...CANCELLED_VIEW, actions };
  return { key: state, ...view, actions };
}

function cancelledKey({ refunded, isPayable }: OrderFacts): ViewKey {
  if (refunded) return 'refunded';
  return isPayable ? 'cancelled' : 'closed';
}

/** Details that are shown only in the session of the customer. */
export interface OwnDetail {
  readonly lines: readonly OrderLine[];
  /** The gateway's open payment page, or the bank's page of a card payment. Absent if it can no longer be used. */
  readonly paymentPage?: { readonly url: string; readonly flow: PaymentFlow } | undefined;
  /** Whether the customer may pay again although an earlier attempt has not ended, after a warning. */
  readonly mayPayAnotherWay: boolean;
  /** The form of the last payment flow. */
  readonly tryAgainPath: string;
  /** The form with the warning that an earlier attempt may still be charged. */
  readonly payAgainPath: string;
  /** Decline reason of the last declined attempt. Absent if it is unknown or must not be shown. */
  readonly declineReason?: DeclineReason;
}

interface OrderParts {
  readonly own: OwnDetail | undefined;
  /** The page that pays the order from its link. Absent if the order cannot be paid there. */
  readonly payPath?: string | undefined;
  /** The sections of the features. */
  readonly sections: readonly OrderSection[];
}

/** Builds the model of views/order.ejs. Without `own` it has no personal data, and its only action links to the shop. */
export function orderPage(i18n: PageI18n, order: Order, facts: OrderFacts, parts: OrderParts) {
  const { t, publicPath } = i18n;
  const view = orderView(order.state, facts);
  const { key, tone, actions } = view;
  const { own, payPath, sections } = parts;
  // Otherwise the state of the payment matters more than that of the goods.
  const lead = key === 'paid' ? sections.flatMap((section) => section.lead ?? [])[0] : undefined;
  const { tryAgainPath = paths.checkout } = own ?? {};
  const stateLinks = actions.map((action) => ({
    label: t(`actions.${action}`),
    href: publicPath(action === 'tryAgain' ? tryAgainPath : ACTION_PATHS[action]),
  }));
  const paymentLinks = [
    ...(own?.paymentPage ? [pageLink(i18n, own.paymentPage)] : []),
    ...(own?.mayPayAnotherWay ? [{ label: t('actions.payAnotherWay'), href: own.payAgainPath }] : []),
  ];
  const linkActions = [
    ...(payPath === undefined ? [] : [{ label: t('actions.payOrder'), href: payPath }]),
    { label: t('actions.shop'), href: publicPath(paths.home) },
  ];
  return {
    number: order.number,
    state: order.state,
    total: order.total,
    tone: lead?.tone ?? tone,
    icon: lead?.icon ?? view.icon ?? tone,
    heading: lead?.heading ?? t(`states.${key}.heading`),
    paragraphs: [
      ...(lead ? [...lead.paragraphs, ...returnedMoney(i18n, facts)] : stateTexts(i18n, view, facts, parts)),
      ...secondPayment(i18n, order, facts),
    ],
    facts: lead?.facts ?? [],
    /** Printed, it is the receipt of a payment. */
    isReceipt: own !== undefined && key === 'paid',
    statusPath: orderStatusPath(order),
    actions: own ? [...paymentLinks, ...stateLinks] : linkActions,
    leadAction: lead?.action,
    sections: sections.filter((section) => !lead || section.lead !== lead),
    detail: own && detailOf(i18n, order, own.lines),
  };
}

function pageLink({ t }: PageI18n, { url, flow }: NonNullable<OwnDetail['paymentPage']>) {
  return { label: t(flow === 'card' ? 'actions.continueAtBank' : 'actions.continuePayment'), href: url };
}

/** States whose text about paying follows from a link that pays. */
const NEEDS_LINK: readonly ViewKey[] = ['created', 'declined', 'expired', 'cancelled', 'closed'];

/** Returns what the customer can do next. A sentence about a page is there only with the link to it. */
function nextText({ t }: PageI18n, { key, actions }: ReturnType<typeof orderView>, parts: OrderParts): string {
  const { own, payPath } = parts;
  const mayPay = own ? actions.includes('tryAgain') : payPath !== undefined && key !== 'closed';
  const page = own?.paymentPage?.flow;
  const cart = key === 'mayBePaidLate' ? 'order.cartShows' : 'order.cartKept';
  const sentences = [
    ...(mayPay || !NEEDS_LINK.includes(key) ? [t(`states.${key}.again`)] : []),
    ...(page === 'hosted' && key === 'declinedOnPage' ? [t('order.otherCardOnPage')] : []),
    ...(page === 'hosted' && key === 'pending' ? [t('order.backToPage')] : []),
    ...(page === 'card' && key === 'pending' ? [t('order.backToBank')] : []),
    ...(own && key !== 'created' && actions.includes('cart') ? [t(cart)] : []),
  ];
  return sentences.join(' ');
}

function stateTexts(
  i18n: PageI18n,
  view: ReturnType<typeof orderView>,
  facts: OrderFacts,
  parts: OrderParts,
): readonly string[] {
  const { t } = i18n;
  const { key } = view;
  const { own } = parts;
  const returned = returnedMoney(i18n, facts);
  const next = nextText(i18n, view, parts);
  return [
    t(`states.${key}.what`),
    ...(own?.declineReason ? [t(`declines.${own.declineReason}`)] : []),
    ...(key === 'refunded' && returned.length > 0 ? [] : [t(`states.${key}.money`)]),
    ...returned,
    ...(next === '' ? [] : [next]),
    ...openPayments(i18n, key, facts, own),
  ];
}

function returnedMoney({ t, money }: PageI18n, { refundedTotal: amount }: OrderFacts): readonly string[] {
  return amount > 0 ? [t('order.refundedTotal', { amount: money(amount) })] : [];
}

/** States whose own texts do not say that an earlier payment may still arrive. */
const SAYS_NOTHING_OF_LATE_PAYMENTS: readonly ViewKey[] = ['created', 'pending', 'declinedOnPage', 'declined'];

/** Returns what the customer must know about payments that the gateway has not ended. */
function openPayments(
  { t, moment }: PageI18n,
  key: ViewKey,
  facts: OrderFacts,
  own: OwnDetail | undefined,
): readonly string[] {
  const { hasUnendedAttempt, payAgainFrom, abandonedBankPage } = facts;
  const isAtBank = abandonedBankPage || (own?.mayPayAnotherWay && !hasUnendedAttempt);
  // A pending order usually has a page that takes the payment now.
  const showsTime = key !== 'pending' || (own !== undefined && !own.paymentPage);
  return [
    ...(SAYS_NOTHING_OF_LATE_PAYMENTS.includes(key) && hasUnendedAttempt ? [t('order.latePayment')] : []),
    ...(payAgainFrom && showsTime ? [t('order.payAgainFrom', { time: moment(payAgainFrom) })] : []),
    ...(isAtBank ? [t('order.bankMayApprove')] : []),
  ];
}

function secondPayment({ t }: PageI18n, order: Order, facts: OrderFacts): readonly string[] {
  if (order.state !== 'paid') return [];
  if (order.reviewReason === 'second_payment') return [t('order.secondPayment')];
  return facts.refunded && !facts.orderRefunded ? [t('order.secondRefunded')] : [];
}

function detailOf({ t, tax, moment }: PageI18n, order: Order, lines: readonly OrderLine[]) {
  const { email, shippingOption, createdAt, paidAt } = order;
  const placed = moment(createdAt);
  const paid = paidAt === null ? '' : moment(paidAt);
  return {
    name: fullName(order),
    email,
    // An order is usually paid within the minute of its placement.
    times: [
      ...(placed === paid ? [] : [{ label: t('order.placedAt'), moment: placed }]),
      ...(paid === '' ? [] : [{ label: t('order.paidAt'), moment: paid }]),
    ],
    lines: withTotals(lines),
    tax: tax(lines),
    shipping: shippingOption === 'none' ? undefined : t(`shipping.${shippingOption}.label`),
    address: addressLines(t, order),
  };
}

/** Returns the order lines with their totals. A charge is shown without a quantity. */
export function withTotals(lines: readonly OrderLine[]) {
  return lines.map((line) => ({
    ...line,
    lineTotal: times(line.unitPrice, line.quantity),
    isCharge: isCharge(line.productId),
  }));
}
