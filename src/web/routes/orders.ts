import type { IRouter, Response } from 'express';
import { ownershipMarkOf } from '../../checkout/order-ownership.js';
import { readInvoiceState } from '../../checkout/request-invoice.js';
import { settlePayment } from '../../checkout/settle-payment.js';
import { isAbandoned } from '../../checkout/stale-attempts.js';
import { type Attempt, findAttempts, payingAttemptOf } from '../../db/attempts.js';
import { type Fulfillment, findFulfillment } from '../../db/fulfillments.js';
import { findOrderLines, type Order } from '../../db/orders.js';
import { findRefunds, type Refund } from '../../db/refunds.js';
import { declineReason } from '../../domain/decline.js';
import { isFulfillable } from '../../domain/fulfillment.js';
import type { OrderState } from '../../domain/order.js';
import { refundedTotal } from '../../domain/refund.js';
import type { WebContext } from '../context.js';
import { loadOrder, unlessDatabaseFails } from '../load-order.js';
import { noStore } from '../middleware/security-headers.js';
import { invoiceSection } from '../pages/invoice-page.js';
import {
  isSafeToPayAgain,
  type OrderFacts,
  type OwnDetail,
  orderPage,
  refreshSeconds,
} from '../pages/order-page.js';
import { render } from '../render.js';
import { checkoutFor, contextOf } from '../request-context.js';
import { ownershipMarks } from '../session.js';

/** Adds `GET /orders/:token` (page) and `GET /orders/:token/status` (JSON). Both settle an unpaid order first. */
export function addOrderRoutes(app: IRouter, web: WebContext): void {
  app.use('/orders', noStore);
  app.get('/orders/:token', (_req, res) => sendOrder(web, res));
  app.get('/orders/:token/status', async (_req, res) => {
    const { order, fulfillment, facts } = await readOrder(web, res);
    const { number, state } = order;
    const safe_to_pay_again = isSafeToPayAgain(state, facts);
    res.json({ number, state, safe_to_pay_again, fulfillment: fulfillment?.state });
  });
}

async function sendOrder(web: WebContext, res: Response): Promise<void> {
  const i18n = contextOf(res);
  const { order, attempts, fulfillment, facts } = await readOrder(web, res);
  const isOwn = ownershipMarks(res).includes(ownershipMarkOf(order));
  const own = isOwn ? await ownDetail(web, order, attempts) : undefined;
  const { checkout } = web;
  const requested =
    order.state === 'paid' ? await readInvoiceState(checkout, checkout.db.queries, order) : undefined;
  const invoice = requested && invoiceSection(i18n, order, requested, isOwn);
  return render(web, res, 'order', {
    title: i18n.t('titles.order', { number: order.number }),
    page: orderPage(i18n, order, { own, fulfillment, invoice, ...facts }),
    scripts: ['/waiting.js'],
    refreshSeconds: refreshSeconds(order.state, facts),
  });
}

/**
 * Returns the order of the token. Settles it if it is not paid, because a payment may arrive late or on an older attempt.
 * Throws `not_found`.
 */
async function readOrder(web: WebContext, res: Response) {
  const context = checkoutFor(web, res);
  const { queries } = context.db;
  const stored = await loadOrder(web, res);
  const settled =
    stored.state === 'paid'
      ? { order: stored, allAnswered: true }
      : await unlessDatabaseFails(context, stored, () => settlePayment(context, stored.id, 'order_page'));
  const { order, allAnswered } = settled ?? { order: stored, allAnswered: false };
  const attempts = await findAttempts(queries, order.id);
  const hasPayment = attempts.some(({ confirmedAmount }) => confirmedAmount !== null);
  const refunds = hasPayment ? await findRefunds(queries, order.id) : [];
  const fulfillment = order.state === 'paid' ? await findFulfillment(queries, order.id) : undefined;
  // An order in preparation that must not be sent is not shown as being prepared.
  const isShown =
    fulfillment?.state !== 'preparing' || isFulfillable(order, payingAttemptOf(order, attempts), refunds);
  return {
    order,
    attempts,
    fulfillment: isShown ? fulfillment : undefined,
    facts: factsOf(order, { attempts, fulfillment, refunds, allAnswered }),
  };
}

async function ownDetail(web: WebContext, order: Order, attempts: readonly Attempt[]): Promise<OwnDetail> {
  const lines = await findOrderLines(web.checkout.db.queries, order.id);
  const { clock, policy } = web.checkout;
  const now = clock.now();
  const open = attempts.find((attempt) => attempt.state === 'open');
  const isUsable =
    order.state === 'pending' && open?.environment === policy.environment && open.expiresAt > now;
  const declined =
    order.state === 'declined' ? attempts.findLast(({ state }) => state === 'declined') : undefined;
  return {
    lines,
    declineReason: declined && declineReason(declined.gatewayStatus),
    mayPayAnotherWay: open !== undefined && isAbandoned(open, attempts, now),
    paymentUrl: isUsable ? (open.redirectUrl ?? undefined) : undefined,
  };
}

const CLOSED: readonly OrderState[] = ['declined', 'expired', 'cancelled'];

interface OrderReading {
  readonly attempts: readonly Attempt[];
  readonly fulfillment: Fulfillment | undefined;
  readonly refunds: readonly Refund[];
  /** False if a lookup gave no answer or the database failed. */
  readonly allAnswered: boolean;
}

function factsOf(order: Order, { attempts, fulfillment, refunds, allAnswered }: OrderReading): OrderFacts {
  const watched = attempts.filter((attempt) => attempt.state === 'superseded');
  const mayBePaid = watched.length > 0 && (order.state === 'cancelled' || !allAnswered);
  // A paid order whose products are missing has a review reason.
  const mayBeOversold = order.state === 'paid' && order.reviewReason !== null;
  return {
    refunded: attempts.some(({ state }) => state === 'refunded'),
    orderRefunded: payingAttemptOf(order, attempts)?.state === 'refunded',
    refundedTotal: refundedTotal(refunds),
    oversold: mayBeOversold && fulfillment?.stockTaken === 0,
    closedAndWatched: mayBePaid && CLOSED.includes(order.state),
    gaveUpBankPage: order.state !== 'paid' && watched.some((attempt) => attempt.abandonedAt !== null),
  };
}
