import type { IRouter, RequestHandler } from 'express';
import { clientOf } from '../client-address.js';
import { limiterOf } from '../middleware/rate-limit.js';
import { contextOf, logOrderNumber } from '../request-context.js';
import { ownsOrder } from '../session.js';
import type { WebContext } from '../web-context.js';

/** Returns of one address that may call the gateway. Many customers of a mobile network share one address. */
const RETURN_LIMIT = { name: 'return_address', max: 60, seconds: 60 } as const;
/** Above the rate at which the gateway sends webhook events for a busy shop. */
const WEBHOOK_LIMIT = { name: 'webhook_address', max: 300, seconds: 60 } as const;

/** Adds the routes of the payments: return and webhook. A session that owns the order of a return is its customer. */
export function addPaymentRoutes(app: IRouter, web: WebContext, session: RequestHandler): void {
  const returns = limiterOf(web, RETURN_LIMIT);
  const webhooks = limiterOf(web, WEBHOOK_LIMIT);
  const routes = web.checkout.payments.routes({
    webhookAuth: web.secrets.webhookAuth,
    logOf: (res) => contextOf(res).checkout.log,
    orderFound: logOrderNumber,
    findIdByFormerToken: async (token) => web.findIdByFormerToken?.(web.checkout.db.queries, token),
    async isOwner(req, res, order) {
      await new Promise<void>((resolve) => session(req, res, () => resolve()));
      return ownsOrder(res, order);
    },
    mayLookUp: async (req) => (await returns.count(clientOf(req))) === undefined,
    webhookAnswered: web.createWebhookCounter?.(web.checkout),
    limitWebhook: (req) => webhooks.count(clientOf(req)),
  });
  app.use(routes);
}
