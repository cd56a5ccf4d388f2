import type { PaymentView } from '@tianguis/payments';
import type { IRouter, Request, Response } from 'express';
import { findFulfillment, findShownFulfillment } from '../../tables/fulfillments.js';
import { findCorrection, findOrderLines, type Order } from '../../tables/orders.js';
import { formPathOf } from '../flow-pages.js';
import { noStore } from '../middleware/security-headers.js';
import { boughtAgain } from '../order/bought-again.js';
import { loadedOrder, loadOrder } from '../order/load-order.js';
import { orderPage } from '../order/order-page.js';
import type { OwnDetail } from '../order/order-parts.js';
import { orderView, stateFacts } from '../order/order-view.js';
import { paths } from '../paths.js';
import { render } from '../render.js';
import { contextOf } from '../request-context.js';
import { ownsOrder } from '../session.js';
import { fillSlot } from '../slots.js';

/** Adds `GET /orders/:token` (page) and `GET /orders/:token/status` (JSON). Both verify an unpaid order first. */
export function addOrderRoutes(app: IRouter): void {
  app.use(paths.orders, noStore);
  app.get(paths.order, loadOrder, sendOrder);
  app.get(paths.orderStatus, loadOrder, async (_req, res) => {
    const { checkout } = contextOf(res);
    const { order, state, safeToPayAgain } = await checkout.payments.viewOf(loadedOrder(res));
    const fulfillment = await findShownFulfillment(checkout.db.queries, order);
    const { number } = order;
    res.json({ number, state, safe_to_pay_again: safeToPayAgain, fulfillment: fulfillment?.state });
  });
}

async function sendOrder(_req: Request, res: Response): Promise<void> {
  const i18n = contextOf(res);
  const { order, ...view } = await i18n.checkout.payments.viewOf(loadedOrder(res));
  const facts = await readFacts(res, order, view);
  const isOwn = ownsOrder(res, order);
  return render(res, 'order', {
    noindex: true,
    title: i18n.t('titles.order', { number: order.number }),
    page: orderPage(i18n, order, facts, {
      own: isOwn ? ownDetail(res, order, view) : undefined,
      lines: await findOrderLines(i18n.checkout.db.queries, order.id),
      correction: await findCorrection(i18n.checkout.db.queries, order),
      boughtAgain: await boughtAgain(res, order),
      payPath: view.isBlocked ? undefined : i18n.payPath?.(order, i18n.checkout.clock.now()),
      sections: await fillSlot(res, 'order.page', order, isOwn),
    }),
    scripts: ['/waiting.js'],
    refreshSeconds: orderView(facts).refreshSeconds,
  });
}

async function readFacts(res: Response, order: Order, view: PaymentView) {
  const { clock, db, payments } = contextOf(res).checkout;
  const refunds = view.hasConfirmedPayment ? await payments.orders.refunds(order.id) : [];
  const fulfillment = order.state === 'paid' ? await findFulfillment(db.queries, order.id) : undefined;
  return stateFacts({ order, view, refunds, fulfillment, now: clock.now() });
}

function ownDetail(res: Response, order: Order, view: PaymentView): OwnDetail {
  const { checkout, flows, payPath } = contextOf(res);
  const now = checkout.clock.now();
  const { declineReason, isBlocked } = view;
  const flow = flows.find(({ id }) => id === view.lastFlow);
  return {
    declineReason,
    tryAgainPath: payPath?.(order, now, flow) ?? (flow ? formPathOf(flow, paths.checkout) : paths.checkout),
    payAgainPath: `${payPath?.(order, now) ?? paths.checkout}?pay_again=1`,
    mayPayAnotherWay: view.mayPayAnotherWay && !isBlocked,
    paymentPage: isBlocked ? undefined : view.paymentPage,
  };
}
