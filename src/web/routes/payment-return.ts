import type { IRouter, Request, RequestHandler, Response } from 'express';
import { ownershipMarkOf } from '../../checkout/order-ownership.js';
import { RETURN_PARAMETER } from '../../checkout/start-attempt.js';
import { type Attempt, findAttempts, makeAttemptsDue, markReturned } from '../../db/attempts.js';
import { clientOf } from '../client-address.js';
import type { WebContext } from '../context.js';
import { readText } from '../form-body.js';
import { loadedOrder, loadOrder, unlessDatabaseFails } from '../load-order.js';
import { noStore } from '../middleware/security-headers.js';
import { orderPath, paths } from '../paths.js';
import { contextOf } from '../request-context.js';
import { ownershipMarks } from '../session.js';

/** Returns of one address that may call the gateway. Many customers of a mobile network share one address. */
const RETURN_LIMIT = { name: 'return_address', max: 60, seconds: 60 } as const;

/**
 * Adds `GET` and `POST /checkout/return/:token`, the return URL for the gateway and the banks.
 * Works without a cookie, reads no body, and trusts no parameter. Settles the order and redirects to its page.
 * A session id of another order causes no lookup. Throws `not_found` for an unknown token.
 */
export function addPaymentReturnRoutes(app: IRouter, web: WebContext, session: RequestHandler): void {
  const limiter = web.checkout.db.limiter(RETURN_LIMIT);
  const handleReturn = async (req: Request, res: Response) => {
    const { checkout } = contextOf(res);
    const { db, log } = checkout;
    const order = loadedOrder(res);
    const sessionId = req.query['session_id'];
    const attempts = await findAttempts(db.queries, order.id);
    // The attempts hold the session ids. One in the address is never looked up.
    if (sessionId !== undefined && !attempts.some((attempt) => attempt.gatewayId === sessionId)) {
      log.warn('return.session_mismatched', { order: order.number });
      return res.redirect(303, orderPath(order));
    }
    await unlessDatabaseFails(res, order, async () => {
      const now = checkout.clock.now();
      if (attempts.some((attempt) => isFromBank(res, attempt))) await markReturned(db.queries, order.id, now);
      // A client above its limit must not use up the shared lookup budget. The worker does the lookup instead.
      const wait = web.config.rateLimit ? await limiter.count(clientOf(req)) : undefined;
      if (wait === undefined) await checkout.payments.verify(order.id, 'return');
      else await makeAttemptsDue(db.queries, order.id, now);
    });
    res.redirect(303, orderPath(order));
  };
  app.get(paths.paymentReturn, noStore, loadOrder, session, handleReturn);
  app.post(paths.paymentReturn, noStore, loadOrder, session, handleReturn);
}

/**
 * Returns whether the browser comes from the bank's page of this attempt: its address names the attempt, or its session owns
 * the order. Other persons with the order's link must not keep the customer from paying again.
 */
function isFromBank(res: Response, { id, flow, state }: Attempt): boolean {
  if (flow !== 'card' || state !== 'open') return false;
  // A gateway may append its own parameters with a second question mark.
  const [named] = readText(res.req.query[RETURN_PARAMETER]).split('?');
  return named === id || ownershipMarks(res).includes(ownershipMarkOf(loadedOrder(res)));
}
