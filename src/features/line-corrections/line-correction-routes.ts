import type { Request, Response } from 'express';
import { answer, orderOf } from '../../admin/order/admin-order.js';
import type { Order } from '../../tables/orders.js';
import { pathTo } from '../../web/paths.js';
import { contextOf } from '../../web/request-context.js';
import { type OrderForm, sendOrderForm, submitOrderForm } from '../merchant-orders/submit-form.js';
import { correctLines, findCorrectionRefusal } from './correct-lines.js';
import { lineCorrectionsPaths } from './paths.js';
import { prefillForm } from './prefill-form.js';

/** Sends the form by which a new order takes the place of an unpaid one. */
export async function sendLines(_req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  const why = await findCorrectionRefusal(contextOf(res).checkout, order);
  if (why) return answer(res, order, `lines_${why.kind}`);
  await sendOrderForm(res, correctionOf(res, order));
}

/** Shows the new total, or creates the order that takes the place of an unpaid one. */
export async function saveLines(req: Request, res: Response): Promise<void> {
  await submitOrderForm(req, res, correctionOf(res, await orderOf(res)));
}

function correctionOf(res: Response, earlier: Order): OrderForm {
  const context = contextOf(res);
  return {
    path: pathTo(lineCorrectionsPaths.lines, earlier),
    title: context.t('lineCorrections.title', { number: earlier.number }),
    intro: context.t('lineCorrections.intro'),
    earlier,
    emptyForm: () => prefillForm(context, earlier),
    async place(request, version) {
      const result = await correctLines(context.checkout, earlier, { ...request, version });
      if (result.kind === 'changed') return result.kind;
      if (result.kind === 'refused') return { order: earlier, result: `lines_${result.why.kind}` };
      return { order: result.order, result: result.kind === 'existed' ? 'order_existed' : 'lines_corrected' };
    },
  };
}
