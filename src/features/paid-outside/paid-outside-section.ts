/** The forms of the order page: an unpaid order was paid past the gateway, and such a payment is taken back. */

import type { OrderRefusal, RefundOption } from '@tianguis/payments/back-office';
import { firstOutsideDay, payingAttemptOf } from '@tianguis/payments/rules';
import type { AdminOrderSection, OrderRecord } from '../../admin/order/order-record.js';
import type { I18n } from '../../locales/i18n.js';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import { isInShop } from '../../shop/rules/fulfillment.js';
import { dayOf } from '../../shop/rules/mexico-day.js';
import { hasUser, type Order } from '../../tables/orders.js';
import { fieldModels, isRefused } from '../../web/form-page.js';
import { adminOrderPath } from '../../web/paths.js';
import type { AdminAccess, RequestContext } from '../../web/request-context.js';
import { recordFields, reversalFields } from './paid-outside-forms.js';
import { paidOutsidePaths } from './paths.js';

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
    const days = await outsideDays(context.checkout, order);
    const model = refusal ? { why: refusalText(context, refusal) } : { record: recordForm(context, record, days) };
    return { view: '/paid-outside/views/paid-outside', place: 'below', model: { ...form, ...model } };
  }
  if (payingAttemptOf(order, record.attempts)?.flow !== 'outside' || !can(`POST ${paidOutsidePaths.reverse}`))
    return undefined;
  const option = reversalOption(record, await refunds.options(order));
  if (!option) return undefined;
  return {
    view: '/paid-outside/views/paid-outside',
    place: 'below',
    model: { ...form, reversal: reversalForm(context, record, option) },
    reviewLinks: order.reviewReason
      ? [{ label: context.t('paidOutside.reverseLink'), href: `${adminOrderPath(order)}#reversal` }]
      : [],
  };
}

/** Returns the first and the last day on which a payment of the order may have been made. */
export async function outsideDays({ db, clock }: Pick<CheckoutContext, 'db' | 'clock'>, order: Order) {
  // An order that corrects another one counts, too.
  const isPlacedByUser = await hasUser(db.queries, order.id, 'placed');
  const now = clock.now();
  return { isPlacedByUser, first: firstOutsideDay(order.createdAt, isPlacedByUser, now), last: dayOf(now) };
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

function recordForm(i18n: I18n, { order, refused }: OrderRecord, days: Awaited<ReturnType<typeof outsideDays>>) {
  const fields = recordFields(i18n, order, days);
  return { isOpen: isRefused(refused, fields), fields: fieldModels(i18n.t, fields, refused, { paid_on: days.last }) };
}

function reversalForm({ t }: I18n, record: OrderRecord, option: RefundOption) {
  const fields = reversalFields(mayReturnStock(record, option));
  return { isOpen: isRefused(record.refused, fields), fields: fieldModels(t, fields, record.refused) };
}
