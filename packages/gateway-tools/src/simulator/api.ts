/** The gateway's endpoints for a merchant's server, and the tokenizer's endpoint for a browser. */
import express, { type Request, type RequestHandler, type Router } from 'express';
import { ApiError, errorBody, fingerprintOf, keyConflict, validate } from './api-error.js';
import { type ApiResponse, apiHandler, type Endpoint, jsonBody, recordCall } from './api-handler.js';
import { requireSignature } from './authentication.js';
import type { Payment } from './model.js';
import { createPayment, createRefund, findPayment } from './payments.js';
import { paymentSchema, refundSchema, sessionSchema } from './request-schemas.js';
import { lookupObject, paymentObject, refundObject, sessionObject, transactionObject } from './responses.js';
import { createSession, findSession } from './sessions.js';
import type { SimulatorState } from './state.js';
import { issueAccessToken, tokenize } from './tokenizer.js';

/** The interface shows two addresses for new sessions, and the first one for lookups. */
const sessionPaths = ['/checkout/v1/sessions', '/api/v1/checkout/v1/sessions'] as const;

export const tokenizerPath = '/vault/v1/gateway/inboundRoutes/demo/token';

/** All paths with JSON responses. The hosted page is `/checkout/<id>`. */
export const apiPaths = /^\/(?:api|vault|checkout\/v\d+)(?=\/|$)/;

export function apiRoutes(state: SimulatorState): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router.use(apiPaths, express.text({ type: () => true, limit: '1mb' }));
  router.post([...sessionPaths], apiHandler(state, 'create-session', postSession));
  router.get(
    sessionPaths.map((path) => `${path}/:id`),
    apiHandler(state, 'read-session', getSession),
  );
  router.post('/api/v1/process/', (req, res, next) =>
    apiHandler(state, isRefund(req) ? 'refund' : 'process', postProcess)(req, res, next),
  );
  router.get('/api/v1/transactions/:id/', apiHandler(state, 'read-transaction', getTransaction));
  router.post('/api/v1/tokenization/auth/', apiHandler(state, 'tokenization-auth', postTokenizationAuth));
  router.options(tokenizerPath, allowAnyOrigin, (_req, res) => res.sendStatus(204));
  router.post(tokenizerPath, allowAnyOrigin, apiHandler(state, 'tokenize', postCard));
  router.use(apiPaths, (req, res) => {
    recordCall(state, { req, res });
    res.status(404).json(errorBody(notFound('address')));
  });
  return router;
}

const postSession: Endpoint = (state, req) => {
  const body = jsonBody(req);
  const repeat = { key: req.get('x-idempotency-key'), fingerprint: fingerprintOf(body) };
  const session = createSession(state, validate(body, sessionSchema), repeat);
  return { status: 201, body: sessionObject(state, session) };
};

const getSession: Endpoint = (state, req) => {
  const isHere = state.settings.profile !== 'minimal' || req.path.startsWith(sessionPaths[0]);
  const session = isHere ? findSession(state, String(req.params['id'])) : undefined;
  if (session === undefined) throw notFound('session');
  return { status: 200, body: lookupObject(state, session) };
};

const postProcess: Endpoint = (state, req) => {
  const body = jsonBody(req);
  requireSignature(state, req, body);
  // The interface shows no refunds.
  const refunds = isRefund(req) && state.settings.profile !== 'minimal';
  return replayOr(state, req, body, () => (refunds ? refund(state, body) : pay(state, body)));
};

/** A body that cannot be parsed is a payment, whose endpoint refuses it. */
function isRefund(req: Request): boolean {
  try {
    return Object(jsonBody(req)).operation_type === 'refund';
  } catch {
    return false;
  }
}

function pay(state: SimulatorState, body: unknown): ApiResponse {
  const payment = createPayment(state, validate(body, paymentSchema));
  // Sources differ on the HTTP status of a decline, so it is a setting.
  const status = payment.status === 'declined' ? state.settings.declineHttpStatus : 201;
  // In the public material a 402 has an error body without a payment; the interface shows no body for it.
  const isError = status === 402 && state.settings.profile === 'public-docs';
  return { status, body: isError ? declineBody(payment) : paymentObject(state, payment, status) };
}

function declineBody({ card, decline }: Payment): unknown {
  const code = card.outcome === 'insufficient_funds' ? 'insufficient_funds' : 'card_declined';
  return errorBody(new ApiError(402, code, decline?.reason ?? '', { decline_code: decline?.code ?? '' }));
}

/** The HTTP status of a refused refund is unpublished. */
function refund(state: SimulatorState, body: unknown): ApiResponse {
  const created = createRefund(state, validate(body, refundSchema));
  return 'refused' in created
    ? { status: 400, body: { error: 'Invalid request data', details: created.refused } }
    : { status: 201, body: refundObject(created, 201) };
}

/**
 * Returns the stored response of the `X-Request-Id`, or creates and stores it. Thrown errors are not stored. The profile
 * `minimal` replays nothing.
 */
function replayOr(state: SimulatorState, req: Request, body: unknown, create: () => ApiResponse): ApiResponse {
  const id = req.get('X-Request-Id');
  if (id === undefined) return create();
  const fingerprint = fingerprintOf(body);
  const replay = state.replays.get(id);
  if (replay !== undefined && replay.fingerprint !== fingerprint) throw keyConflict('X-Request-Id');
  if (replay !== undefined && state.settings.profile !== 'minimal') return replay;
  return state.replays.save({ id, fingerprint, ...create() });
}

const getTransaction: Endpoint = (state, req) => {
  const id = String(req.params['id']);
  // Nothing shows whether refunds can be looked up. The interface describes a lookup of transactions.
  const refund = state.settings.profile === 'interface' ? state.refunds.get(id) : undefined;
  if (refund !== undefined) return { status: 200, body: refundObject(refund, 200) };
  const payment = findPayment(state, id);
  if (payment === undefined) throw notFound('transaction');
  return { status: 200, body: transactionObject(state, payment) };
};

const postTokenizationAuth: Endpoint = (state) => ({
  status: 200,
  body: { access_token: issueAccessToken(state) },
});

const postCard: Endpoint = (state, req) => {
  const accessToken = req.get('X-Skyflow-Authorization') ?? '';
  return { status: 200, body: tokenize(state, accessToken, jsonBody(req)) };
};

/** The card page of any shop may call the tokenizer. */
const allowAnyOrigin: RequestHandler = (_req, res, next) => {
  res.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'POST, OPTIONS',
    'Access-Control-Allow-Headers': 'Content-Type, Authorization, X-Skyflow-Authorization',
    'Access-Control-Max-Age': '600',
  });
  next();
};

function notFound(what: string): ApiError {
  return new ApiError(404, 'not_found', `No such ${what}.`);
}
