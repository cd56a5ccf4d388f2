/** The gateway's endpoints for a merchant's server, and the tokenizer's for a browser. */
import { randomUUID } from 'node:crypto';
import express, { type Request, type RequestHandler, type Router } from 'express';
import { defaults } from './defaults.js';
import type { Payment } from './model.js';
import { createPayment, findPayment, keepReplay, replayOf } from './payments.js';
import { notFound, refusalBody } from './refusal.js';
import { paymentRules, sessionRules } from './request-rules.js';
import { paymentObject, readBack, sessionObject, transactionObject } from './responses.js';
import { type Answer, jsonOf, record, serve, serveWithoutFaults } from './serve.js';
import { createSession, findSession } from './sessions.js';
import { requireKey, requireSignature } from './signature.js';
import { issueAccessToken, tokenize } from './tokenizer.js';
import { accept } from './validate.js';
import type { World } from './world.js';

/** The interface shows two addresses for sessions; both work. */
const sessionPaths = ['/checkout/v1/sessions', '/api/v1/checkout/v1/sessions'];

/** All paths that answer with JSON. The hosted page is `/checkout/<id>`. */
export const apiPaths = /^\/(?:api|vault|checkout\/v\d+)(?=\/|$)/;
/** Paths with rate limit headers. The tokenizer belongs to another company and sends none. */
const limitedPaths = /^\/(?:api|checkout\/v\d+)(?=\/|$)/;

export function apiRoutes(world: World): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router.use(limitedPaths, rateLimitHeaders(world));
  router.use(apiPaths, express.text({ type: () => true, limit: '1mb' }));
  for (const path of sessionPaths) {
    router.post(path, serve(world, 'create-session', createSessionCall));
    router.get(`${path}/:id`, serve(world, 'read-session', readSessionCall));
  }
  router.post('/api/v1/process/', serve(world, 'process', processCall));
  router.get('/api/v1/transactions/:id/', serve(world, 'read-transaction', readTransactionCall));
  router.get('/api/v1/payments/business/:key', serveWithoutFaults(world, businessCall));
  router.post('/api/v1/tokenization/auth/', serve(world, 'tokenization-auth', tokenizationAuthCall));
  router.options(defaults.tokenizerPath, openToBrowsers, (_req, res) => res.sendStatus(204));
  router.post(defaults.tokenizerPath, openToBrowsers, serve(world, 'tokenize', tokenizeCall));
  router.use(apiPaths, (req, res) => {
    record(world, { req, res });
    const { reason } = notFound('address');
    res.status(reason.status).json(refusalBody(reason, randomUUID()));
  });
  return router;
}

function createSessionCall(world: World, req: Request): Answer {
  requireKey(world, req);
  const request = accept(jsonOf(req), sessionRules(world.now()));
  const session = createSession(world, request, req.get('x-idempotency-key'));
  return { status: 201, body: sessionObject(world, session) };
}

function readSessionCall(world: World, req: Request): Answer {
  requireKey(world, req);
  const session = findSession(world, String(req.params['id']));
  if (session === undefined) throw notFound('session');
  return { status: 200, body: readBack(world, session) };
}

function processCall(world: World, req: Request): Answer {
  requireKey(world, req);
  const body = jsonOf(req);
  requireSignature(world, req, body);
  const key = req.get('X-Request-Id');
  const replay = key === undefined ? undefined : replayOf(world, key, body);
  if (replay !== undefined) return { status: replay.status, body: replay.body };
  const rules = paymentRules((id) => world.tokens.get(id));
  const payment = createPayment(world, accept(body, rules));
  // Sources differ on the HTTP status of a decline, so it is a setting.
  const status = payment.status === 'declined' ? world.settings.declineHttpStatus : 201;
  const answer = { status, body: processedBody(world, payment, status) };
  if (key !== undefined) keepReplay(world, payment, { key, ...answer, request: body });
  return answer;
}

/** In the public material a 402 carries an error without a payment; the interface shows no body for it. */
function processedBody(world: World, payment: Payment, status: number): unknown {
  if (status !== 402 || world.settings.profile === 'interface') return paymentObject(world, payment, status);
  const { code: declineCode = '', reason = '' } = payment.decline ?? {};
  const code = payment.card.outcome === 'insufficient_funds' ? 'insufficient_funds' : 'card_declined';
  const details = { decline_code: declineCode };
  return refusalBody({ status, code, type: 'request_error', message: reason, details }, randomUUID());
}

function readTransactionCall(world: World, req: Request): Answer {
  requireKey(world, req);
  const payment = findPayment(world, String(req.params['id']));
  if (payment === undefined) throw notFound('transaction');
  return { status: 200, body: transactionObject(world, payment) };
}

/** The first call of the vendor's web client; the interface does not have it. */
function businessCall(world: World, req: Request): Answer {
  if (world.settings.profile !== 'public-docs') throw notFound('address');
  requireKey(world, req);
  if (req.params['key'] !== world.options.apiKey) throw notFound('business');
  const business = { pk: 1, name: 'Simulator' };
  const vault = { vault_id: 'demo', vault_url: `${world.url}/vault` };
  return { status: 200, body: { business, cardonfile_keys: null, ...vault } };
}

function tokenizationAuthCall(world: World, req: Request): Answer {
  requireKey(world, req);
  return { status: 200, body: { access_token: issueAccessToken(world) } };
}

function tokenizeCall(world: World, req: Request): Answer {
  const accessToken = req.get('X-Skyflow-Authorization') ?? '';
  return { status: 200, body: tokenize(world, accessToken, jsonOf(req)) };
}

/** The card page of any shop may call the tokenizer. */
const openToBrowsers: RequestHandler = (_req, res, next) => {
  res.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'POST, OPTIONS',
    'Access-Control-Allow-Headers': 'Content-Type, Authorization, X-Skyflow-Authorization',
    'Access-Control-Max-Age': '600',
  });
  next();
};

const limits = { process: 100, other: 300 } as const;
const windowMs = 60_000;

/** The documented headers about calls per minute. No call is refused; payments are counted apart from other calls. */
function rateLimitHeaders(world: World): RequestHandler {
  let window = 0;
  let used = { process: 0, other: 0 };
  return (req, res, next) => {
    const now = Math.floor(world.now() / windowMs);
    if (now !== window) {
      window = now;
      used = { process: 0, other: 0 };
    }
    const group = req.originalUrl.startsWith('/api/v1/process/') ? 'process' : 'other';
    used[group] += 1;
    res.set({
      'X-RateLimit-Limit': String(limits[group]),
      'X-RateLimit-Remaining': String(Math.max(0, limits[group] - used[group])),
      'X-RateLimit-Reset': String(((now + 1) * windowMs) / 1000),
    });
    next();
  };
}
