import express, { type IRouter, type Request, type RequestHandler, type Response } from 'express';
import { receiveWebhook } from '../../checkout/receive-webhook.js';
import { errorName } from '../../domain/error-name.js';
import { normalizeCredential, type WebhookAuth } from '../../domain/webhook-auth.js';
import { clientOf } from '../client-address.js';
import type { WebContext } from '../context.js';
import { isSameSecret } from '../middleware/request-checks.js';
import { paths } from '../paths.js';
import { contextOf } from '../request-context.js';

const BODY_LIMIT = '64kb';
/** Above the rate at which the gateway sends webhook events for a busy shop. */
const ADDRESS_LIMIT = { name: 'webhook_address', max: 300, seconds: 60 } as const;

/**
 * Adds `POST /webhooks/payments`. Stores the event in the inbox. The worker looks up its payment later.
 *
 * - 200: stored or ignored. Known and unknown ids get the same response.
 * - 200 for an empty body: connection test of the gateway's dashboard.
 * - 400: not readable as a JSON object. 413: above 64 KB.
 * - 401: not authenticated.
 * - 429: above the rate limit by address, which applies only if authentication is off.
 * - 503: not stored. The gateway must send it again.
 */
export function addWebhookRoutes(app: IRouter, web: WebContext): void {
  app.post(paths.paymentWebhook, onlyFromTheGateway(web), limitByAddress(web), bytes(web), receive);
}

function onlyFromTheGateway({ secrets }: WebContext): RequestHandler {
  const { webhookAuth } = secrets;
  return (req, res, next) => {
    if (webhookAuth && isAuthentic(req, webhookAuth)) return next();
    reject(res, webhookAuth ? 'not_authentic' : 'not_configured');
    res.status(401).type('text').send('not authenticated');
  };
}

function isAuthentic(req: Request, auth: WebhookAuth): boolean {
  if (auth.scheme === 'none') return true;
  return auth.credentials.some(({ name, value }) => {
    const given = req.headers[name];
    return typeof given === 'string' && isSameSecret(normalizeCredential(given), normalizeCredential(value));
  });
}

/** Rate limit by address, only if authentication is off. An authenticated gateway is not limited. */
function limitByAddress({ checkout, config, secrets }: WebContext): RequestHandler {
  if (!config.rateLimit || secrets.webhookAuth?.scheme !== 'none') return (_req, _res, next) => next();
  const limiter = checkout.db.limiter(ADDRESS_LIMIT);
  return async (req, res, next) => {
    const seconds = await limiter.count(clientOf(req));
    if (seconds === undefined) return next();
    reject(res, 'too_many');
    res.status(429).set('Retry-After', String(seconds)).type('text').send('too many');
  };
}

function reject(res: Response, reason: 'not_authentic' | 'not_configured' | 'too_many'): void {
  const { refusedWebhooks, checkout } = contextOf(res);
  refusedWebhooks.count(reason);
  checkout.log.warn('webhook.rejected', { reason });
}

/** Reads the body as bytes for any content type, because the event is stored unchanged. */
function bytes({ refusedWebhooks }: WebContext): RequestHandler {
  const raw = express.raw({ type: () => true, limit: BODY_LIMIT });
  return (req, res, next) =>
    raw(req, res, (error?: unknown) => {
      // A client that closed the connection sent nothing to read.
      if (error && !req.destroyed) refusedWebhooks.count('unreadable');
      next(error);
    });
}

async function receive(req: Request, res: Response): Promise<void> {
  const { refusedWebhooks, checkout } = contextOf(res);
  const body = Buffer.isBuffer(req.body) ? decode(req.body) : '';
  if (body?.trim() === '') {
    res.type('text').send('ok');
    return;
  }
  try {
    const outcome = body === undefined ? 'unreadable' : await receiveWebhook(checkout, body);
    if (outcome === 'stored') checkout.observer.webhookAnswered(outcome);
    else refusedWebhooks.count(outcome);
    // Stored and ignored events get the same response, which must not reveal whether the ids are known.
    if (outcome === 'unreadable') res.status(400).type('text').send(outcome);
    else res.type('text').send('stored');
  } catch (error) {
    refusedWebhooks.count('not_stored');
    checkout.log.error('webhook.store_failed', { reason: errorName(error) });
    res.status(503).set('Retry-After', '5').type('text').send('send it again');
  }
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
