/** The routes that the gateway and the banks know: the return of the customer's browser, and the webhook. */
import { type NextFunction, type Request, type Response, Router } from 'express';
import { cleanLinks, redirectToClean } from './clean-links.js';
import type { PaymentContext } from './context.js';
import type { OrUndefined } from './host.js';
import { type WebhookOptions, webhookHandlers } from './receive-webhook.js';
import type { Attempt } from './rules/attempt.js';
import { findByToken, RETURN_PARAMETER } from './rules/ids.js';
import type { PaymentLog } from './rules/payment-log.js';
import { findAttempts, makeAttemptsDue, markReturned } from './store/attempts.js';
import { findOrder, findOrderByToken, type Order } from './store/orders.js';
import { unlessDatabaseFails } from './unless-database-fails.js';
import { verifyPayment } from './verify-payment.js';

const RETURNS = '/checkout/return';
const RETURN_PATH = `${RETURNS}/:token`;
const WEBHOOK_PATH = '/webhooks/payments';

interface RouteOptions<O> extends WebhookOptions {
  /** Returns the log of the request. Default: the log of the payments. */
  logOf?(res: Response): PaymentLog;
  /**
   * Returns the id of the order whose token was this one before the host replaced it. Its return is verified, and the browser
   * is then sent to the address with the former token. Default: no token was replaced.
   */
  findIdByFormerToken?(token: string): Promise<string | undefined>;
  /** Gets the order of a return, before anything else happens. */
  orderFound?(res: Response, order: O): void;
  /** Returns whether the browser is that of the customer of the order. Default: it is not known, as without a cookie. */
  isOwner?(req: Request, res: Response, order: O): Promise<boolean>;
  /** Counts a return for its client, and returns whether it may call the gateway. Default: it may. */
  mayLookUp?(req: Request): Promise<boolean>;
}

export type PaymentRouteOptions<O = Order> = OrUndefined<RouteOptions<O>>;

/** An error for the error handler of the host, which reads `status` as those of Express do. */
class RouteError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'RouteError';
    this.status = status;
  }
}

/**
 * Returns a router with `GET` and `POST /checkout/return/:token` and `POST /webhooks/payments`. It stands before sessions, body
 * parsers and checks of the origin: a return needs no cookie and may come from another site, and a webhook is read as bytes.
 * Errors with the `status` 404 (unknown token), 405 and 413 go to the error handler of the host.
 */
export function paymentRoutes(context: PaymentContext, options: PaymentRouteOptions): Router {
  const router = Router({ caseSensitive: true });
  const contextOf = (res: Response) => ({ ...context, log: options.logOf?.(res) ?? context.log });
  const findReturned = async (token: string) => {
    const { queries } = context.db;
    const order = await findOrderByToken(queries, token);
    const formerId = order ? undefined : await options.findIdByFormerToken?.(token);
    const returned = formerId === undefined ? order : await findOrder(queries, formerId);
    return returned && { order: returned, token };
  };
  const handleReturn = async (req: Request<{ token: string }>, res: Response) => {
    res.set('Cache-Control', 'no-store');
    const found = await findByToken(req.params.token, findReturned);
    if (!found) throw new RouteError(404, 'no order has this token');
    const { order, token } = found;
    if (redirectToClean(res, token)) return;
    options.orderFound?.(res, order);
    await receiveReturn(contextOf(res), order, {
      sessionId: req.query['session_id'],
      attemptId: namedAttempt(req.query[RETURN_PARAMETER]),
      isOwner: async () => (await options.isOwner?.(req, res, order)) ?? false,
      mayLookUp: async () => (await options.mayLookUp?.(req)) ?? true,
    });
    res.redirect(303, context.host.orderPath({ ...order, token }));
  };
  router.use(cleanLinks([RETURNS]));
  router.route(RETURN_PATH).get(handleReturn).post(handleReturn).all(refuseMethod('GET, HEAD, POST'));
  router
    .route(WEBHOOK_PATH)
    .post(...webhookHandlers(contextOf, options))
    .all(refuseMethod('POST'));
  return router;
}

/** A browser that comes from the gateway or a bank. None of its parameters is trusted. */
interface ReturnRequest {
  /** The parameter `session_id`, if the address has it. */
  readonly sessionId: unknown;
  /** The attempt that the address names. */
  readonly attemptId: string;
  /** Whether the browser is that of the customer of the order. Needed if the address names no attempt at the bank. */
  isOwner(): Promise<boolean>;
  /** Counts a lookup for the client, and returns whether it may cause one. */
  mayLookUp(): Promise<boolean>;
}

/**
 * Verifies the order of a return. A session id of another order causes no lookup. A client above its limit does not use up the
 * lookup budget: the worker does the lookup instead. A database error is logged.
 */
async function receiveReturn(context: PaymentContext, order: Order, request: ReturnRequest): Promise<void> {
  const { clock, db, log } = context;
  const { sessionId } = request;
  const attempts = await findAttempts(db.queries, order.id);
  // The attempts hold the session ids. One in the address is never looked up.
  if (sessionId !== undefined && !attempts.some(({ gatewayId }) => gatewayId === sessionId)) {
    log.warn('return.session_mismatched', { order: order.number });
    return;
  }
  await unlessDatabaseFails(context, order, async () => {
    const now = clock.now();
    if (await isFromBank(attempts, request)) await markReturned(db.queries, order.id, now);
    if (await request.mayLookUp()) await verifyPayment(context, order.id, 'return');
    else await makeAttemptsDue(db.queries, order.id, now);
  });
}

/**
 * Returns whether the browser comes from the bank's page of an open card attempt: its address names the attempt, or the
 * customer of the order has it. Other persons with the order's link must not keep the customer from paying again.
 */
async function isFromBank(attempts: readonly Attempt[], { attemptId, isOwner }: ReturnRequest): Promise<boolean> {
  const atBank = attempts.filter(({ flow, state }) => flow === 'card' && state === 'open');
  return atBank.length > 0 && (atBank.some(({ id }) => id === attemptId) || (await isOwner()));
}

/** A gateway may append its own parameters with a second question mark. */
function namedAttempt(parameter: unknown): string {
  const [named = ''] = typeof parameter === 'string' ? parameter.split('?') : [];
  return named;
}

function refuseMethod(allowed: string) {
  return (_req: Request, res: Response, next: NextFunction) => {
    res.set('Allow', allowed);
    next(new RouteError(405, `allowed: ${allowed}`));
  };
}
