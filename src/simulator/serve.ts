/** One call of the service: written down, spoilt if a fault is planned, else answered. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import type { Call, Fault } from './faults.js';
import { listenIn } from './listen-in.js';
import { playFault } from './play-fault.js';
import { Refusal, refusalBody } from './refusal.js';
import type { World } from './world.js';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Decides an answer, or throws a refusal; the effect happens while it runs. */
export type Endpoint = (world: World, req: Request) => Answer;

export function serve(world: World, call: Call, endpoint: Endpoint): RequestHandler {
  return async (req, res) => {
    const answer = () => answerOf(world, endpoint, req);
    const fault = world.faults.take(call) ?? (await recorded(world, call, { req, answer }));
    listenIn(world, { req, res, call, fault });
    if (fault === undefined) send(res, answer());
    else {
      const { closing, faults } = world;
      await playFault(fault, { res, answer, closing: closing.signal, held: () => faults.hold() });
    }
  };
}

/** What a recording says to this call, after as long as it took then. */
async function recorded(
  { replay, closing, url }: World,
  call: Call,
  { req, answer }: { readonly req: Request; readonly answer: () => Answer },
): Promise<Fault | undefined> {
  const id = String(req.params['id'] ?? '');
  const played = replay?.next({ call, id, body: bodyOf(req), real: answer, home: url });
  if (played && played.ms > 0) await sleep(played.ms, undefined, { signal: closing.signal }).catch(() => {});
  return played?.fault;
}

function bodyOf(req: Request): unknown {
  try {
    return jsonOf(req);
  } catch {
    return undefined;
  }
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

function unreadable(message: string): Refusal {
  return new Refusal({ status: 400, code: 'malformed_request', type: 'request_error', message });
}
