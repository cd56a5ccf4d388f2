/** What each call of the service does. */
import type { Request } from 'express';
import type { Payment } from './model.js';
import { paymentRules } from './payment-rules.js';
import { createPayment, findPayment, keepReplay, replayOf } from './payments.js';
import { notFound } from './refusal.js';
import { type Answer, jsonOf } from './serve.js';
import { sessionRules } from './session-rules.js';
import { createSession, findSession } from './sessions.js';
import { requireKey, requireSignature } from './signature.js';
import { accept } from './validate.js';
import { issueAccessToken, tokenize } from './vault.js';
import { paymentObject, transactionObject } from './wire-payment.js';
import { readBack, sessionObject } from './wire-session.js';
import type { World } from './world.js';

export function createSessionCall(world: World, req: Request): Answer {
  requireKey(world, req);
  const request = accept(jsonOf(req), sessionRules(world.now()));
  const session = createSession(world, request, req.get('x-idempotency-key'));
  return { status: 201, body: sessionObject(world, session) };
}

export function readSessionCall(world: World, req: Request): Answer {
  requireKey(world, req);
  const session = findSession(world, String(req.params['id']));
  if (session === undefined) throw notFound('session');
  return { status: 200, body: readBack(world, session) };
}

export function processCall(world: World, req: Request): Answer {
  requireKey(world, req);
  const body = jsonOf(req);
  requireSignature(world, req, body);
  const key = req.get('X-Request-Id');
  const replay = key === undefined ? undefined : replayOf(world, key, body);
  if (replay !== undefined) return { status: replay.status, body: replay.body };
  const request = accept(
    body,
    paymentRules((id) => world.tokens.get(id)),
  );
  const payment = createPayment(world, request);
  const status = statusOf(world, payment);
  const answer = { status, body: paymentObject(world, payment, status) };
  if (key !== undefined) keepReplay(world, payment, { key, ...answer, request: body });
  return answer;
}

export function readTransactionCall(world: World, req: Request): Answer {
  requireKey(world, req);
  const payment = findPayment(world, String(req.params['id']));
  if (payment === undefined) throw notFound('transaction');
  return { status: 200, body: transactionObject(world, payment) };
}

export function tokenizationAuthCall(world: World, req: Request): Answer {
  requireKey(world, req);
  return { status: 200, body: { access_token: issueAccessToken(world) } };
}

export function tokenizeCall(world: World, req: Request): Answer {
  const accessToken = req.get('X-Skyflow-Authorization') ?? '';
  return { status: 200, body: tokenize(world, accessToken, jsonOf(req)) };
}

/** Sources differ on the HTTP status of a decline, so it is a setting. */
function statusOf(world: World, payment: Payment): number {
  return payment.status === 'declined' ? world.settings.declineHttpStatus : 201;
}
