import express, { type IRouter, type Request, type RequestHandler, type Response } from 'express';
import { receiveWebhook } from '../../checkout/receive-webhook.js';
import { expectedHeader, type WebhookAuth } from '../../core/webhook-auth.js';
import { flowServices } from '../request-context.js';
import { isSameSecret } from '../same-secret.js';
import type { WebServices } from '../services.js';

const BODY_LIMIT = '64kb';

/**
 * `POST /webhooks/payments`: 200 kept · 401 not the service · 400 unreadable · 413 too large · 503 could not be kept, send it
 * again. Known and unknown ids get the same answer at once; what the message says is looked up later.
 */
export function addWebhookRoutes(app: IRouter, web: WebServices): void {
  app.post('/webhooks/payments', onlyFromTheService(web), bytes(web), (req, res) => receive(web, req, res));
}

/** As bytes, whatever it calls itself: only what was received can be kept word for word. */
function bytes({ refusedWebhooks }: WebServices): RequestHandler {
  const raw = express.raw({ type: () => true, limit: BODY_LIMIT });
  return (req, res, next) =>
    raw(req, res, (error?: unknown) => {
      if (error) refusedWebhooks.count('unreadable');
      next(error);
    });
}

function onlyFromTheService(web: WebServices): RequestHandler {
  const { settings, refusedWebhooks } = web;
  const { webhookAuth } = settings;
  return (req, res, next) => {
    if (webhookAuth && isAuthentic(req, webhookAuth)) {
      next();
      return;
    }
    const reason = webhookAuth ? 'not_authentic' : 'not_configured';
    refusedWebhooks.count(reason);
    flowServices(web, res).log.warn('webhook_refused', { reason });
    res.status(401).type('text').send('not authenticated');
  };
}

function isAuthentic(req: Request, auth: WebhookAuth): boolean {
  const expected = expectedHeader(auth);
  if (!expected) return true;
  const given = req.headers[expected.name];
  return typeof given === 'string' && isSameSecret(given, expected.value);
}

async function receive(web: WebServices, req: Request, res: Response): Promise<void> {
  const { refusedWebhooks } = web;
  const services = flowServices(web, res);
  const body = Buffer.isBuffer(req.body) ? decode(req.body) : undefined;
  try {
    const outcome = body === undefined ? 'unreadable' : await receiveWebhook(services, body);
    if (outcome === 'unreadable') refusedWebhooks.count(outcome);
    else services.observer.webhookAnswered(outcome);
    res
      .status(outcome === 'kept' ? 200 : 400)
      .type('text')
      .send(outcome);
  } catch {
    refusedWebhooks.count('not_kept');
    services.log.error('webhook_not_kept');
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
