import type { OutsideResult } from '@tianguis/payments/back-office';
import { REFUND_REASON_LIMIT } from '@tianguis/payments/rules';
import type { Request, Response } from 'express';
import { answer, orderOf, refuse, requestOf } from '../../admin/admin-order.js';
import type { ActionResult } from '../../admin/admin-order-page.js';
import type { AdminRouter } from '../../admin/permissions.js';
import { findFulfillment } from '../../db/fulfillments.js';
import type { Order } from '../../db/orders.js';
import type { I18n } from '../../locales/i18n.js';
import { type FieldProblem, readField } from '../../shop/rules/form-field.js';
import { dayOf, startOfDay } from '../../shop/rules/mexico-day.js';
import { OUTSIDE_METHODS } from '../../shop/rules/outside-method.js';
import { errorList } from '../../web/form.js';
import { postedText } from '../../web/form-body.js';
import { contextOf } from '../../web/request-context.js';
import {
  mayReturnStock,
  OUTSIDE_NOTE_LIMIT,
  type OutsideDays,
  outsideDays,
  reversalOption,
} from './paid-outside-section.js';
import { paidOutsidePaths } from './paths.js';

/** Adds the record of a payment past the gateway, and its reversal. */
export function addPaidOutsideRoutes(app: AdminRouter): void {
  app.post(paidOutsidePaths.record, record);
  app.post(paidOutsidePaths.reverse, reverse);
}

async function record(req: Request, res: Response): Promise<void> {
  const { t, checkout } = contextOf(res);
  const order = await orderOf(res);
  const typed = {
    method: postedText(req, 'method'),
    paid_on: postedText(req, 'paid_on') || dayOf(checkout.clock.now()),
    outside_note: postedText(req, 'note'),
  };
  const method = OUTSIDE_METHODS.find((each) => each === typed.method);
  const note = readField(typed.outside_note, { column: '', maxLength: OUTSIDE_NOTE_LIMIT, isOptional: true });
  const noteProblem = 'problem' in note ? textProblem(t, note.problem, OUTSIDE_NOTE_LIMIT) : undefined;
  const errors = errorList({ method: !method && t('paidOutside.methodProblem'), outside_note: noteProblem });
  if (!method || 'problem' in note) return refuse(res, order, { typed, errors });
  const days = await outsideDays(checkout, order);
  const { isPlacedByUser } = days;
  const request = { ...requestOf(req, res, order), method, note: note.value, paidOn: typed.paid_on, isPlacedByUser };
  const result = await checkout.payments.outside.record(request);
  if (result.kind === 'changed') return refuse(res, order, { typed, errors: [] });
  if (result.kind === 'day')
    return refuse(res, order, { typed, errors: errorList({ paid_on: dayProblem(contextOf(res), order, days) }) });
  // A second try is likely, so that what was typed stays.
  if (result.kind === 'refused' && result.why.kind === 'unanswered')
    return refuse(res, order, { typed, errors: errorList({ method: t('paidOutside.why.unanswered') }) });
  answer(res, order, outcomeOf(result));
}

function outcomeOf(result: OutsideResult): ActionResult {
  return result.kind === 'refused' ? `outside_${result.why.kind}` : 'outside_recorded';
}

function dayProblem({ t, day }: I18n, { createdAt }: Order, { first }: OutsideDays): string {
  if (first === dayOf(createdAt)) return t('paidOutside.dayProblem');
  return t('paidOutside.dayProblemFrom', { first: day(startOfDay(first)) });
}

function textProblem(t: ReturnType<typeof contextOf>['t'], problem: FieldProblem, limit: number): string {
  return problem === 'cardData' ? t('form.cardData') : t('paidOutside.textProblem', { limit });
}

async function reverse(req: Request, res: Response): Promise<void> {
  const { t, checkout } = contextOf(res);
  const order = await orderOf(res);
  const typed = {
    reversal_reason: postedText(req, 'reversal_reason'),
    returns_stock: postedText(req, 'returns_stock'),
  };
  const option = reversalOption({ order }, await checkout.payments.refunds.options(order));
  if (!option) return answer(res, order, 'not_reversible');
  const fulfillment = await findFulfillment(checkout.db.queries, order.id);
  const asksStock = mayReturnStock({ fulfillment }, option);
  const reason = readField(typed.reversal_reason, { column: '', maxLength: REFUND_REASON_LIMIT });
  const errors = errorList({
    reversal_reason: 'problem' in reason && textProblem(t, reason.problem, REFUND_REASON_LIMIT),
    returns_stock: asksStock && !['yes', 'no'].includes(typed.returns_stock) && t('paidOutside.stockProblem'),
  });
  if ('problem' in reason || errors.length > 0) return refuse(res, order, { typed, errors });
  const result = await checkout.payments.refunds.refund({
    ...requestOf(req, res, order),
    attemptId: option.attempt.id,
    way: 'reversal',
    amount: option.limit,
    reason: reason.value,
    returnsGoods: asksStock && typed.returns_stock === 'yes',
    refundedOn: dayOf(checkout.clock.now()),
  });
  if (result.kind === 'changed') return refuse(res, order, { typed, errors: [] });
  answer(res, order, result.kind === 'done' ? 'outside_reversed' : 'not_reversible');
}
