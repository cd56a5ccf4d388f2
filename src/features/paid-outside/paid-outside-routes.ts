import type { OutsideResult } from '@tianguis/payments/back-office';
import type { Request, Response } from 'express';
import { answer, orderOf, refuse, requestOf } from '../../admin/order/admin-order.js';
import type { ActionResult } from '../../admin/order/admin-order-page.js';
import { dayOf } from '../../shop/rules/mexico-day.js';
import { findFulfillment } from '../../tables/fulfillments.js';
import { conflictOf, readForm, refusedWith } from '../../web/form.js';
import { contextOf } from '../../web/request-context.js';
import { dayProblem, recordFields, reversalFields } from './paid-outside-forms.js';
import { mayReturnStock, outsideDays, reversalOption } from './paid-outside-section.js';

/** Records a payment past the gateway. */
export async function recordPayment(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { t, checkout } = context;
  const order = await orderOf(res);
  const days = await outsideDays(checkout, order);
  const form = readForm(res, recordFields(context, order, days));
  if (form.refused) return refuse(res, order, form.refused);
  const { method, paid_on: paidOn, note } = form.values;
  const { isPlacedByUser } = days;
  const request = { ...requestOf(req, res, order), method, note, paidOn, isPlacedByUser };
  const result = await checkout.payments.outside.record(request);
  if (result.kind === 'changed') return refuse(res, order, conflictOf(form));
  if (result.kind === 'day')
    return refuse(res, order, refusedWith(form, { paid_on: dayProblem(context, order, days.first) }));
  // A second try is likely, so that what was typed stays.
  if (result.kind === 'refused' && result.why.kind === 'unanswered')
    return refuse(res, order, refusedWith(form, { method: t('paidOutside.why.unanswered') }));
  answer(res, order, outcomeOf(result));
}

function outcomeOf(result: OutsideResult): ActionResult {
  return result.kind === 'refused' ? `outside_${result.why.kind}` : 'outside_recorded';
}

/** Takes back a payment past the gateway. */
export async function reversePayment(req: Request, res: Response): Promise<void> {
  const { checkout } = contextOf(res);
  const order = await orderOf(res);
  const option = reversalOption({ order }, await checkout.payments.refunds.options(order));
  if (!option) return answer(res, order, 'not_reversible');
  const fulfillment = await findFulfillment(checkout.db.queries, order.id);
  const form = readForm(res, reversalFields(mayReturnStock({ fulfillment }, option)));
  if (form.refused) return refuse(res, order, form.refused);
  const result = await checkout.payments.refunds.refund({
    ...requestOf(req, res, order),
    attemptId: option.attempt.id,
    way: 'reversal',
    amount: option.limit,
    reason: form.values.reversal_reason,
    returnsGoods: form.values.returns_stock === 'yes',
    refundedOn: dayOf(checkout.clock.now()),
  });
  if (result.kind === 'changed') return refuse(res, order, conflictOf(form));
  answer(res, order, result.kind === 'done' ? 'outside_reversed' : 'not_reversible');
}
