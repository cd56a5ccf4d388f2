/** The gateway's endpoints for a merchant's server, and the tokenizer's endpoint for a browser. */
import { createHash } from 'node:crypto';
import express, { type Request, type RequestHandler, type Router } from 'express';
import { ApiError, errorBody, notFound } from './api-error.js';
import { type ApiResponse, apiHandler, type Endpoint, jsonBody, recordCall } from './api-handler.js';
import { requireApiKey, requireSignature } from './authentication.js';
import type { Payment } from './model.js';
import { createPayment, findPayment } from './payments.js';
import { createRefund } from './refunds.js';
import { paymentSchema, refundSchema, sessionSchema } from './request-schemas.js';
import { lookupObject, paymentObject, refundObject, sessionObject, transactionObject } from './responses.js';
import { createSession, findSession } from './sessions.js';
import type { SimulatorState } from './state.js';
import { issueAccessToken, tokenize } from './tokenizer.js';
import { isRecord, validate } from './validate.js';

/** The interface shows two addresses for sessions; both work. */
const sessionPaths = ['/checkout/v1/sessions', '/api/v1/checkout/v1/sessions'];

export const tokenizerPath = '/vault/v1/gateway/inboundRoutes/demo/token';

/** All paths with JSON responses. The hosted page is `/checkout/<id>`. */
export const apiPaths = /^\/(?:api|vault|checkout\/v\d+)(?=\/|$)/;

export function apiRoutes(state: SimulatorState): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router.use(apiPaths, express.text({ type: () => true, limit: '1mb' }));
  router.post(sessionPaths, apiHandler(state, 'create-session', postSession));
  router.get(
    sessionPaths.map((path) => `${path}/:id`),
    apiHandler(state, 'read-session', getSession),
  );
  const payment = apiHandler(state, 'process', postPayment);
  const refund = apiHandler(state, 'refund', postRefund);
  router.post('/api/v1/process/', (req, res, next) => (isRefund(req) ? refund : payment)(req, res, next));
  router.get('/api/v1/transactions/:id/', apiHandler(state, 'read-transaction', getTransaction));
  router.post('/api/v1/tokenization/auth/', apiHandler(state, 'tokenization-auth', postTokenizationAuth));
  router.options(tokenizerPath, allowAnyOrigin, (_req, res) => res.sendStatus(204));
  router.post(tokenizerPath, allowAnyOrigin, apiHandler(state, 'tokenize', postCard));
  router.use(apiPaths, (req, res) => {
    recordCall(state, { req, res });
    const { reason } = notFound('address');
    res.status(reason.status).json(errorBody(reason));
  });
  return router;
}

const postSession: Endpoint = (state, req) => {
  requireApiKey(state, req);
  const session = createSession(state, validate(jsonBody(req), sessionSchema), req.get('x-idempotency-key'));
  return { status: 201, body: sessionObject(state, session) };
};

const getSession: Endpoint = (state, req) => {
  requireApiKey(state, req);
  const session = findSession(state, String(req.params['id']));
  if (session === undefined) throw notFound('session');
  return { status: 200, body: lookupObject(state, session) };
};

const postPayment: Endpoint = (state, req) => {
  requireApiKey(state, req);
  const body = jsonBody(req);
  requireSignature(state, req, body);
  return replayOr(state, req, body, () => {
    const payment = createPayment(state, validate(body, paymentSchema));
    // Sources differ on the HTTP status of a decline, so it is a setting.
    const status = payment.status === 'declined' ? state.settings.declineHttpStatus : 201;
    return { status, body: paymentBody(state, payment, status) };
  });
};

/** A body that cannot be parsed is a payment, whose endpoint refuses it. */
function isRefund(req: Request): boolean {
  try {
    const body = jsonBody(req);
    return isRecord(body) && body['operation_type'] === 'refund';
  } catch {
    return false;
  }
}

/** The HTTP status of a refused refund is unpublished. */
const postRefund: Endpoint = (state, req) => {
  requireApiKey(state, req);
  const body = jsonBody(req);
  requireSignature(state, req, body);
  return replayOr(state, req, body, () => {
    const refund = createRefund(state, validate(body, refundSchema));
    if ('refused' in refund)
      return { status: 400, body: { error: 'Invalid request data', details: refund.refused } };
    return { status: 201, body: refundObject(refund, 201) };
  });
};

/** Returns the stored response of the `X-Request-Id`, or creates and stores it. Thrown errors are not stored. */
function replayOr(
  state: SimulatorState,
  req: Request,
  body: unknown,
  create: () => ApiResponse,
): ApiResponse {
  const id = req.get('X-Request-Id');
  if (id === undefined) return create();
  const fingerprint = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  const replay = state.replays.get(id);
  if (replay === undefined) return state.replays.save({ id, fingerprint, ...create() });
  if (replay.fingerprint === fingerprint) return replay;
  throw new ApiError({
    status: 422,
    code: 'idempotency_conflict',
    type: 'validation_error',
    message: 'This X-Request-Id was used with another body.',
    details: { 'X-Request-Id': 'belongs to another request' },
  });
}

/** In the public material a 402 has an error body without a payment; the interface shows no body for it. */
function paymentBody(state: SimulatorState, payment: Payment, status: number): unknown {
  if (status !== 402 || state.settings.profile === 'interface') return paymentObject(state, payment, status);
  const { code: decline_code = '', reason: message = '' } = payment.decline ?? {};
  const code = payment.card.outcome === 'insufficient_funds' ? 'insufficient_funds' : 'card_declined';
  return errorBody({ status, code, type: 'request_error', message, details: { decline_code } });
}

const getTransaction: Endpoint = (state, req) => {
  requireApiKey(state, req);
  const id = String(req.params['id']);
  // Nothing public shows whether refunds can be looked up. The interface describes a lookup of transactions.
  const refund = state.settings.profile === 'interface' ? state.refunds.get(id) : undefined;
  if (refund !== undefined) return { status: 200, body: refundObject(refund, 200) };
  const payment = findPayment(state, id);
  if (payment === undefined) throw notFound('transaction');
  return { status: 200, body: transactionObject(state, payment) };
};

const postTokenizationAuth: Endpoint = (state, req) => {
  requireApiKey(state, req);
  return { status: 200, body: { access_token: issueAccessToken(state) } };
};

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
