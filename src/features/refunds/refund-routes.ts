import { findRefunds, REFUND_ACTIONS } from '@tianguis/payments/back-office';
import { readAmount } from '@tianguis/payments/rules';
import type { Request, Response } from 'express';
import { answer, orderOf, refuse, requestOf } from '../../admin/order/admin-order.js';
import { findAdminLines } from '../../admin/order/order-record.js';
import { GATEWAY_ID } from '../../admin/order/review-section.js';
import { adminOf } from '../../admin/permissions.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import type { Order } from '../../tables/orders.js';
import { readStock } from '../../tables/stock.js';
import { type Fields, fieldsOf, postedText, readText } from '../../web/form-body.js';
import { pathTo } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { findAnswer, forgetForm, redirectToForm } from '../../web/typed-form.js';
import { refundsPaths } from './paths.js';
import {
  initialValues,
  postedValues,
  type RefundForm,
  type RefundValues,
  readRefund,
  refundPage,
} from './refund-form.js';
import { gatewayIdField, refundWays } from './refund-section.js';

/** Sends the form of a refund, or its second step after a checked one. */
export async function sendRefund(req: Request, res: Response): Promise<void> {
  const form = await openForm(res, req.query);
  if (!form) return;
  const typed = await findAnswer<TypedRefund>(res, formPath(form));
  await sendForm(res, form, typed?.values ?? initialValues(form), typed?.shown);
}

/** Returns the form for the named payment. Otherwise redirects to the order page and returns `undefined`. */
async function openForm(res: Response, fields: Fields): Promise<RefundForm | undefined> {
  const order = await orderOf(res);
  const { checkout } = contextOf(res);
  const { db, config, clock } = checkout;
  const options = await checkout.payments.refunds.options(order);
  const option = options.find(({ attempt }) => String(attempt.ordinal) === readText(fields['attempt']));
  const ways = option ? refundWays(option) : [];
  const way = ways.find((name) => name === readText(fields['way'])) ?? (fields['way'] ? undefined : ways[0]);
  if (!option || !way) {
    answer(res, order, 'refund_not_possible');
    return undefined;
  }
  const refunds = await findRefunds(db.queries, order.id);
  const own = refunds.filter(({ attemptId }) => attemptId === option.attempt.id);
  const at = clock.now();
  return { order, option, refunds: own, way, pieces: await piecesOf(res, order, at), config, at };
}

/** Returns the pieces of an order that a return to stock adds. */
async function piecesOf(res: Response, order: Order, at: number): Promise<RefundForm['pieces']> {
  const context = contextOf(res);
  const { lines } = await readStock(context.checkout.db.queries, order, at);
  const named = (await findAdminLines(context, [order])).get(order.id) ?? [];
  return lines.map(({ productId, quantity }) => {
    const { name } = named.find((line) => line.productId === productId) ?? { name: productId };
    return { name, quantity };
  });
}

type Shown = Parameters<typeof refundPage>[3];

/** A posted step, as the page of the form shows it. */
interface TypedRefund {
  readonly values: RefundValues;
  readonly shown: Shown;
}

function formPath({ order, option, way }: RefundForm): string {
  const asked = new URLSearchParams({ attempt: String(option.attempt.ordinal), way });
  return `${pathTo(refundsPaths.refundForm, order)}?${asked}`;
}

/** Redirects to a step of the form, so that Back and reload post nothing. */
function showStep(res: Response, form: RefundForm, values: RefundValues, shown: Shown = {}): Promise<void> {
  return redirectToForm(res, formPath(form), { values, shown } satisfies TypedRefund);
}

/** Sends a step of the form. With problems it has status 422. */
async function sendForm(res: Response, form: RefundForm, values: RefundValues, shown: Shown = {}) {
  const page = refundPage(contextOf(res), form, values, shown);
  const hasErrors = page.errors.length > 0;
  const { title, href: path } = page;
  await render(res, 'refunds/views/refund', { title, hasErrors, page, path });
}

/** Checks the first step and sends the second one, or the first one again with its problems. Changes nothing. */
export async function checkRefund(req: Request, res: Response): Promise<void> {
  const form = await openForm(res, fieldsOf(req));
  if (!form) return;
  const values = postedValues(fieldsOf(req));
  if (postedText(req, 'edit') !== '') return showStep(res, form, values);
  const { request, problems } = readRefund(form, values, adminOf(res).name);
  if (problems.length > 0) return showStep(res, form, values, { problems });
  return showStep(res, form, { ...values, amount: '' }, { amount: request.amount });
}

/** Executes a refund whose amount was typed again. */
export async function executeRefund(req: Request, res: Response): Promise<void> {
  const form = await openForm(res, fieldsOf(req));
  if (!form) return;
  const values = postedValues(fieldsOf(req));
  const { request, problems } = readRefund(form, values, adminOf(res).name);
  if (problems.length > 0) return showStep(res, form, values, { problems });
  const { amount } = request;
  if (readAmount(values.amount) !== amount)
    return showStep(res, form, values, { amount, problems: [{ field: 'amount', problem: 'typed' }] });
  const result = await contextOf(res).checkout.payments.refunds.refund(request);
  await forgetForm(res, formPath(form));
  if (result.kind === 'done') return answer(res, result.order, `refund_${result.refund.state}`);
  if (result.kind === 'late') return answer(res, form.order, 'refund_late');
  // Another request changed the order after it was read. The first step shows what changed.
  return checkRefund(req, res);
}

/** Checks or decides a refund whose outcome is not known. */
export async function resolveRefund(req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  const action = REFUND_ACTIONS.find((name) => name === postedText(req, 'action'));
  if (!action) throw new ShopError('bad_request');
  const refundId = String(req.params['id']);
  const typed = postedText(req, 'gateway_refund_id').trim();
  const hasIdField = action === 'check' && Object.hasOwn(fieldsOf(req), 'gateway_refund_id');
  if (hasIdField && !GATEWAY_ID.test(typed)) {
    const field = gatewayIdField(refundId);
    const message = contextOf(res).t('refunds.idProblem');
    return refuse(res, order, { typed: { [field]: typed }, errors: [{ field, message }], status: 422 });
  }
  const result = await contextOf(res).checkout.payments.refunds.resolve({
    ...requestOf(req, res, order),
    refundId,
    action,
    gatewayRefundId: typed || undefined,
  });
  return answer(res, order, `refund_${result}`);
}
