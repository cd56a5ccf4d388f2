/** The forms of the order page: an unpaid order was paid past the gateway, and such a payment is taken back. */

import type { OrderRefusal, RefundOption } from '@tianguis/payments/back-office';
import { firstOutsideDay, payingAttemptOf } from '@tianguis/payments/rules';
import { type AdminOrderSection, type OrderRecord, typedField } from '../../admin/order-record.js';
import { isPlacedByUser, type Order } from '../../db/orders.js';
import type { I18n } from '../../locales/i18n.js';
import type { CheckoutContext } from '../../shop/context.js';
import { isInShop } from '../../shop/rules/fulfillment.js';
import { dayOf } from '../../shop/rules/mexico-day.js';
import { OUTSIDE_METHODS } from '../../shop/rules/outside-method.js';
import { adminOrderPath } from '../../web/paths.js';
import type { AdminAccess, RequestContext } from '../../web/request-context.js';
import { paidOutsidePaths } from './paths.js';

/** In characters. */
export const OUTSIDE_NOTE_LIMIT = 200;

/** Returns the section. Absent if neither form is for this order or this user. */
export async function paidOutsideSection(
  context: RequestContext,
  record: OrderRecord,
  { can }: AdminAccess,
): Promise<AdminOrderSection | undefined> {
  const { order } = record;
  const { outside, refunds } = context.checkout.payments;
  const form = { href: adminOrderPath(order), version: String(order.version) };
  if (order.state !== 'paid') {
    if (!can(`POST ${paidOutsidePaths.record}`)) return undefined;
    const refusal = await outside.refusal(order);
    const { first } = await outsideDays(context.checkout, order);
    const model = refusal ? { why: refusalText(context, refusal) } : { record: recordForm(context, record, first) };
    return { view: '/paid-outside/paid-outside', place: 'below', model: { ...form, ...model } };
  }
  if (payingAttemptOf(order, record.attempts)?.flow !== 'outside' || !can(`POST ${paidOutsidePaths.reverse}`))
    return undefined;
  const option = reversalOption(record, await refunds.options(order));
  if (!option) return undefined;
  return {
    view: '/paid-outside/paid-outside',
    place: 'below',
    model: { ...form, reversal: reversalForm(record, option) },
    reviewLinks: order.reviewReason
      ? [{ label: context.t('paidOutside.reverseLink'), href: `${adminOrderPath(order)}#reversal` }]
      : [],
  };
}

export type OutsideDays = Awaited<ReturnType<typeof outsideDays>>;

/** Returns from which day on a payment of the order may be recorded. */
export async function outsideDays({ db, clock }: Pick<CheckoutContext, 'db' | 'clock'>, order: Order) {
  const isByUser = await isPlacedByUser(db.queries, order);
  return { isPlacedByUser: isByUser, first: firstOutsideDay(order.createdAt, isByUser, clock.now()) };
}

/** Returns the payment past the gateway that can be taken back. */
export function reversalOption(
  { order }: Pick<OrderRecord, 'order'>,
  options: readonly RefundOption[],
): RefundOption | undefined {
  return options.find(({ attempt, ways }) => attempt.id === order.paidAttemptId && ways.includes('reversal'));
}

/** Returns whether the goods of an order can return to stock: they were taken, and they have not left the shop. */
export function mayReturnStock(
  { fulfillment }: Pick<OrderRecord, 'fulfillment'>,
  { mayReturnGoods }: RefundOption,
): boolean {
  return mayReturnGoods && fulfillment !== undefined && isInShop(fulfillment.state);
}

function refusalText({ t, moment }: I18n, refusal: OrderRefusal): string {
  // The page shows minutes, so that the next one is shown.
  if (refusal.kind === 'open') return t('paidOutside.why.open', { until: moment(refusal.until + 60_000) });
  if (refusal.kind === 'other_order') return t('paidOutside.why.other_order', { number: refusal.number });
  return t(`paidOutside.why.${refusal.kind}`);
}

function recordForm({ t }: I18n, { refused, now }: OrderRecord, first: string) {
  const method = typedField(refused, 'method');
  return {
    methods: OUTSIDE_METHODS.map((value) => ({
      value,
      label: t(`outsideMethods.${value}`),
      selected: value === method.value,
    })),
    methodError: method.error,
    day: { ...typedField(refused, 'paid_on', dayOf(now)), first, last: dayOf(now) },
    note: typedField(refused, 'outside_note'),
    isOpen: refused?.typed['method'] !== undefined,
  };
}

function reversalForm(record: OrderRecord, option: RefundOption) {
  const { refused } = record;
  return {
    reason: typedField(refused, 'reversal_reason'),
    stock: mayReturnStock(record, option) ? typedField(refused, 'returns_stock') : undefined,
    isOpen: refused?.typed['reversal_reason'] !== undefined,
  };
}
