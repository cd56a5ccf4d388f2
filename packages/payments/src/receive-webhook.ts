/** The route of the webhook: authenticates the gateway, and stores its event in the inbox before the answer. */
import { createHash, timingSafeEqual } from 'node:crypto';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { PaymentContext } from './context.js';
import { readWebhook, type WebhookHint } from './gateway/webhook-event.js';
import type { WebhookAnswer } from './observer.js';
import { errorName } from './rules/error-name.js';
import { normalizeCredential, type WebhookAuth } from './rules/webhook-auth.js';
import { findAttempts, findAttemptsByReference, findOrderIdsByGatewayId } from './store/attempts.js';
import { storeWebhook } from './store/inbox.js';

const BODY_LIMIT = '64kb';
const TOO_LATE = 'the body was read before: mount the routes of the payments before every body parser';

export interface WebhookOptions {
  /** Absent: each webhook is refused. */
  readonly webhookAuth: WebhookAuth | undefined;
  /** Counts a webhook for its client. Called without authentication only. Returns the seconds to wait above the limit. */
  limitWebhook?(req: Request): Promise<number | undefined>;
  /** Gets how each webhook was answered, as the observer does. */
  webhookAnswered?(answer: WebhookAnswer): void;
}

interface WebhookRoute extends WebhookOptions {
  /** Returns the context of a request: that of the payments, with the log of the request. */
  readonly contextOf: (res: Response) => PaymentContext;
}

/**
 * Returns the handlers of `POST /webhooks/payments`. They store the event in the inbox. The worker looks up its payment later.
 *
 * - 200: stored or ignored. Known and unknown ids get the same response.
 * - 200 for an empty body: connection test of the gateway's dashboard.
 * - 400: not readable as a JSON object. 413: above 64 KB.
 * - 401: not authenticated.
 * - 429: above the limit of the host, which applies only if authentication is off.
 * - 500: a body parser of the host read the body before.
 * - 503: not stored. The gateway must send it again.
 */
export function webhookHandlers(
  contextOf: WebhookRoute['contextOf'],
  options: WebhookOptions,
): readonly RequestHandler[] {
  const route = { ...options, contextOf };
  return [onlyFromTheGateway(route), limitClient(route), readBytes(route), store(route)];
}

function count({ contextOf, webhookAnswered }: WebhookRoute, res: Response, answer: WebhookAnswer): void {
  contextOf(res).observer.webhookAnswered(answer);
  webhookAnswered?.(answer);
}

function onlyFromTheGateway(route: WebhookRoute): RequestHandler {
  const { webhookAuth } = route;
  return (req, res, next) => {
    if (webhookAuth && isAuthentic(req, webhookAuth)) return next();
    reject(route, res, webhookAuth ? 'not_authentic' : 'not_configured');
    res.status(401).type('text').send('not authenticated');
  };
}

function isAuthentic(req: Request, auth: WebhookAuth): boolean {
  if (auth.scheme === 'none') return true;
  return auth.credentials.some(({ name, value }) => {
    const given = req.headers[name];
    return typeof given === 'string' && isSame(normalizeCredential(given), normalizeCredential(value));
  });
}

/** Compares two secrets in constant time. `timingSafeEqual` requires equal lengths. */
function isSame(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}

/** An authenticated gateway is not limited. */
function limitClient(route: WebhookRoute): RequestHandler {
  const { limitWebhook, webhookAuth } = route;
  return async (req, res, next) => {
    const seconds = webhookAuth?.scheme === 'none' ? await limitWebhook?.(req) : undefined;
    if (seconds === undefined) return next();
    reject(route, res, 'too_many');
    res.status(429).set('Retry-After', String(seconds)).type('text').send('too many');
  };
}

function reject(route: WebhookRoute, res: Response, reason: 'not_authentic' | 'not_configured' | 'too_many'): void {
  count(route, res, reason);
  route.contextOf(res).log.warn('webhook.rejected', { reason });
}

/** Reads the body as bytes for any content type, because the event is stored unchanged. */
function readBytes(route: WebhookRoute): RequestHandler {
  const raw = express.raw({ type: () => true, limit: BODY_LIMIT });
  return (req, res, next) => {
    if (req.readableDidRead) {
      count(route, res, 'not_stored');
      route.contextOf(res).log.error('webhook.body_consumed', { reason: TOO_LATE });
      res.status(500).type('text').send(TOO_LATE);
      return;
    }
    raw(req, res, (error?: unknown) => {
      // A client that closed the connection sent nothing to read.
      if (error && !req.destroyed) count(route, res, 'unreadable');
      next(error);
    });
  };
}

function store(route: WebhookRoute): RequestHandler {
  return async (req, res) => {
    const context = route.contextOf(res);
    const body = Buffer.isBuffer(req.body) ? decode(req.body) : '';
    if (body?.trim() === '') {
      res.type('text').send('ok');
      return;
    }
    try {
      const outcome = body === undefined ? 'unreadable' : await receiveWebhook(context, body);
      count(route, res, outcome);
      // Stored and ignored events get the same response, which must not reveal whether the ids are known.
      if (outcome === 'unreadable') res.status(400).type('text').send(outcome);
      else res.type('text').send('stored');
    } catch (error) {
      count(route, res, 'not_stored');
      context.log.error('webhook.store_failed', { reason: errorName(error) });
      res.status(503).set('Retry-After', '5').type('text').send('send it again');
    }
  };
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Stores a webhook event before it is answered. The worker processes it later. An authenticated event is stored unchanged.
 * Without authentication, one reference of each order that the event names is stored. Returns `ignored` if there is none,
 * and `unreadable` if the body is not a JSON object. Throws if the event could not be stored, so that the gateway sends it
 * again.
 */
export async function receiveWebhook(
  context: PaymentContext,
  body: string,
): Promise<'stored' | 'ignored' | 'unreadable'> {
  const hint = readWebhook(parse(body));
  if (!hint) return 'unreadable';
  const { event = null } = hint;
  if (context.config.webhooksAuthenticated) {
    await storeEvent(context, body, event);
    return 'stored';
  }
  const references = await ownReferences(context, hint);
  for (const reference of references) await storeEvent(context, JSON.stringify(reference), null);
  return references.length === 0 ? 'ignored' : 'stored';
}

async function storeEvent(context: PaymentContext, body: string, event: string | null): Promise<void> {
  const hash = createHash('sha256').update(body).digest('hex');
  const copies = await storeWebhook(context.db.queries, { hash, body, event, at: context.clock.now() });
  context.log.info('webhook.stored', {
    webhook: webhookName(hash),
    event: event ?? 'unnamed',
    copies,
  });
}

/** Orders that an event without authentication may name. Each may cause lookups. */
const MAX_ORDERS = 2;

/** Returns one reference for each of our orders that an event names, up to {@link MAX_ORDERS}. This limits stored rows to the number of orders. */
async function ownReferences({ db }: PaymentContext, hint: WebhookHint): Promise<readonly string[]> {
  const { queries } = db;
  const named = await findAttemptsByReference(queries, hint.texts);
  const orderIds = new Set([
    ...(await findOrderIdsByGatewayId(queries, hint.texts)),
    ...named.map(({ orderId }) => orderId),
  ]);
  const attempts = await Promise.all(
    [...orderIds].slice(0, MAX_ORDERS).map((orderId) => findAttempts(queries, orderId)),
  );
  return attempts.flatMap(([first]) => first?.reference ?? []);
}

/** Returns the name of an event in the log. 12 hexadecimal digits are too short to look like a card number. */
export function webhookName(hash: string): string {
  return hash.slice(0, 12);
}

/** Parses a stored event body; returns `undefined` if it is not JSON. */
export function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
