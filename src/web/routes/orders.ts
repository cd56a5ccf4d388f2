import type { IRouter, Request, Response } from 'express';
import { mayStartAnother } from '../../checkout/decide-start.js';
import { ownershipMarkOf } from '../../checkout/order-ownership.js';
import { type Attempt, findAttempts, isOffered, isPayable } from '../../db/attempts.js';
import { findFulfillment, findShownFulfillment } from '../../db/fulfillments.js';
import { findOrderLines, type Order } from '../../db/orders.js';
import { findRefunds } from '../../db/refunds.js';
import { declineReason } from '../../domain/decline.js';
import type { PaymentFlow } from '../../domain/order.js';
import { FEATURES } from '../../features/index.js';
import { loadedOrder, loadOrder, unlessDatabaseFails } from '../load-order.js';
import { noStore } from '../middleware/security-headers.js';
import { orderPage } from '../order-page.js';
import type { OwnDetail } from '../order-parts.js';
import { orderFacts, orderView } from '../order-view.js';
import { paths } from '../paths.js';
import { render } from '../render.js';
import { contextOf } from '../request-context.js';
import { ownershipMarks } from '../session.js';

/** Adds `GET /orders/:token` (page) and `GET /orders/:token/status` (JSON). Both settle an unpaid order first. */
export function addOrderRoutes(app: IRouter): void {
  app.use(paths.orders, noStore);
  app.get(paths.order, loadOrder, sendOrder);
  app.get(paths.orderStatus, loadOrder, async (_req, res) => {
    const { order, facts } = await readOrder(res);
    const { number, state } = order;
    const mayTryAgain = orderView(state, facts).actions.includes('tryAgain');
    const safe_to_pay_again = mayTryAgain && !facts.hasUnendedAttempt;
    const fulfillment = await findShownFulfillment(contextOf(res).checkout.db.queries, order);
    res.json({ number, state, safe_to_pay_again, fulfillment: fulfillment?.state });
  });
}

async function sendOrder(_req: Request, res: Response): Promise<void> {
  const i18n = contextOf(res);
  const { order, attempts, facts } = await readOrder(res);
  const isOwn = ownershipMarks(res).includes(ownershipMarkOf(order));
  const own = isOwn ? await ownDetail(res, order, attempts) : undefined;
  const sections = await Promise.all(FEATURES.map((each) => each.orderSection?.(i18n, order, isOwn)));
  return render(res, 'order', {
    noindex: true,
    title: i18n.t('titles.order', { number: order.number }),
    page: orderPage(i18n, order, facts, {
      own,
      payPath: payPathOf(order, i18n.checkout.clock.now()),
      sections: sections.flatMap((section) => section ?? []),
    }),
    scripts: ['/waiting.js'],
    refreshSeconds: orderView(order.state, facts).refreshSeconds,
  });
}

/** Returns the loaded order. Settles it if it is not paid, because a payment may arrive late or on an older attempt. */
async function readOrder(res: Response) {
  const { checkout } = contextOf(res);
  const { queries } = checkout.db;
  const stored = loadedOrder(res);
  const settled =
    stored.state === 'paid'
      ? { order: stored, lookupsSucceeded: true }
      : await unlessDatabaseFails(res, stored, () => checkout.payments.verify(stored.id, 'order_page'));
  const { order, lookupsSucceeded } = settled ?? { order: stored, lookupsSucceeded: false };
  const attempts = await findAttempts(queries, order.id);
  const hasPayment = attempts.some(({ confirmedAmount }) => confirmedAmount !== null);
  const refunds = hasPayment ? await findRefunds(queries, order.id) : [];
  const fulfillment = order.state === 'paid' ? await findFulfillment(queries, order.id) : undefined;
  const facts = orderFacts({ order, attempts, refunds, fulfillment, lookupsSucceeded, now: checkout.clock.now() });
  return { order, attempts, facts };
}

async function ownDetail(res: Response, order: Order, attempts: readonly Attempt[]): Promise<OwnDetail> {
  const { checkout, config } = contextOf(res);
  const { db, clock } = checkout;
  const now = clock.now();
  // Without a link if the last one has no page: an earlier page would take the payment a second time.
  const page = attempts.findLast(
    (each) => each.environment === config.environment && (isOffered(each, now) || isAtBank(each, now)),
  );
  const isUsable = order.state === 'pending' || order.state === 'declined';
  const declined = order.state === 'declined' ? attempts.findLast(({ state }) => state === 'declined') : undefined;
  const flow = config.paymentFlows.find((each) => each === attempts.at(-1)?.flow);
  return {
    lines: await findOrderLines(db.queries, order.id),
    declineReason: declined && declineReason(declined.gatewayStatus),
    tryAgainPath: payPathOf(order, now, flow) ?? (flow === 'card' ? paths.cardCheckout : paths.checkout),
    payAgainPath: `${payPathOf(order, now) ?? paths.checkout}?pay_again=1`,
    mayPayAnotherWay: mayPayAnotherWay(order, attempts, now),
    paymentPage: isUsable && page?.redirectUrl ? { url: page.redirectUrl, flow: page.flow } : undefined,
  };
}

/** Returns the path of the page that pays the order from its link, if a feature has one. */
function payPathOf(order: Order, at: number, flow?: PaymentFlow): string | undefined {
  return FEATURES.find(({ payPath }) => payPath)?.payPath?.(order, at, flow);
}

function isAtBank({ state, offerEndsAt }: Attempt, now: number): boolean {
  return state === 'open' && now < offerEndsAt;
}

/** A page that is still offered has its own link. */
function mayPayAnotherWay({ state }: Order, attempts: readonly Attempt[], now: number): boolean {
  const payable = attempts.filter(isPayable);
  const isOpen = state === 'pending' || state === 'expired';
  return isOpen && payable.some((each) => !isOffered(each, now)) && mayStartAnother(payable, attempts, now);
}
