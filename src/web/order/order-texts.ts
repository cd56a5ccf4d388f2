import { outsideMethodOf } from '../../shop/rules/outside-method.js';
import type { Order } from '../../tables/orders.js';
import type { PageI18n } from '../request-context.js';
import type { OrderParts, OwnDetail } from './order-parts.js';
import type { orderView, StateFacts, ViewKey } from './order-view.js';

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

export function stateTexts(
  i18n: PageI18n,
  view: ReturnType<typeof orderView>,
  facts: StateFacts,
  parts: OrderParts,
): readonly string[] {
  const { t } = i18n;
  const { key } = view;
  const { own } = parts;
  const returned = returnedMoney(i18n, facts);
  const next = nextText(i18n, view, parts);
  // That of a paid order says that the receipt was mailed.
  const isMoneyTextTrue = key === 'paid' ? facts.hasEmail : key !== 'refunded' || returned.length === 0;
  return [
    t(`states.${key}.what`),
    ...(own?.declineReason ? [t(`declines.${own.declineReason}`)] : []),
    ...(isMoneyTextTrue ? [t(`states.${key}.money`)] : []),
    ...returned,
    ...(next === '' ? [] : [next]),
    ...openPayments(i18n, key, facts, own),
  ];
}

export function paidOutside({ t }: PageI18n, { outsideMethod, orderRefunded }: StateFacts): readonly string[] {
  if (outsideMethod === undefined || orderRefunded) return [];
  return [t('outsidePayment', { method: t(`outsideMethods.${outsideMethodOf(outsideMethod)}`) })];
}

export function returnedMoney({ t, money }: PageI18n, { refundedTotal: amount }: StateFacts): readonly string[] {
  return amount > 0 ? [t('order.refundedTotal', { amount: money(amount) })] : [];
}

/** States whose own texts do not say that an earlier payment may still arrive. */
const SAYS_NOTHING_OF_LATE_PAYMENTS: readonly ViewKey[] = ['created', 'pending', 'declinedOnPage', 'declined'];

/** Returns what the customer must know about payments that the gateway has not ended. */
function openPayments(
  { t, moment }: PageI18n,
  key: ViewKey,
  facts: StateFacts,
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

export function secondPayment({ t }: PageI18n, order: Order, facts: StateFacts): readonly string[] {
  if (order.state !== 'paid') return [];
  if (order.reviewReason === 'second_payment') return [t('order.secondPayment')];
  return facts.refunded && !facts.orderRefunded ? [t('order.secondRefunded')] : [];
}
