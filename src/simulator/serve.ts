/** One call of the service: written down, spoilt if a fault is planned, else answered. */
import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { redactedHeaders } from './call-log.js';
import type { Call } from './faults.js';
import { playFault } from './play-fault.js';
import { Refusal, refusalBody } from './refusal.js';
import { redactedCard } from './vault.js';
import type { World } from './world.js';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Decides an answer, or throws a refusal; the effect happens while it runs. */
export type Endpoint = (world: World, req: Request) => Answer;

export function serve(world: World, call: Call, endpoint: Endpoint): RequestHandler {
  return async (req, res) => {
    record(world, call, { req, res });
    const answer = () => answerOf(world, endpoint, req);
    const fault = world.faults.take(call);
    if (fault === undefined) send(res, answer());
    else await playFault(fault, { res, answer, closing: world.closing.signal });
  };
}

/** The JSON of a request that was read as text. */
export function jsonOf(req: Request): unknown {
  if (req.is('application/json') === false) throw unreadable('Content-Type must be application/json.');
  try {
    return JSON.parse(String(req.body));
  } catch {
    throw unreadable('The body is not JSON.');
  }
}

function record(world: World, call: Call, { req, res }: { req: Request; res: Response }): void {
  const body = readable(req);
  world.calls.record(
    {
      call,
      at: world.now(),
      method: req.method,
      path: req.originalUrl,
      headers: redactedHeaders(req),
      body: call === 'tokenize' ? redactedCard(body) : body,
    },
    res,
  );
}

function answerOf(world: World, endpoint: Endpoint, req: Request): Answer {
  try {
    return endpoint(world, req);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.reason.status, body: refusalBody(error.reason, randomUUID()) };
  }
}

function send(res: Response, answer: Answer): void {
  res.status(answer.status).json(answer.body);
}

function readable(req: Request): unknown {
  if (typeof req.body !== 'string' || req.body === '') return undefined;
  try {
    return JSON.parse(req.body);
  } catch {
    return req.body;
  }
}

function unreadable(message: string): Refusal {
  return new Refusal({ status: 400, code: 'malformed_request', type: 'request_error', message });
}
