/** Answers one call: records it, injects a planned fault, or sends the endpoint's response. */
import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { bodyLimit } from './exchanges.js';
import type { Call, Fault } from './faults.js';
import { playFault } from './play-fault.js';
import { schemeOf } from './redact.js';
import { Refusal, refusalBody } from './refusal.js';
import { redactedCard } from './tokenizer.js';
import type { World } from './world.js';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Returns a response or throws a refusal; the effect happens while it runs. */
export type Endpoint = (world: World, req: Request) => Answer;

/** Returns a handler that records the call and applies the next planned fault. */
export function serve(world: World, call: Call, endpoint: Endpoint): RequestHandler {
  return async (req, res) => {
    const answer = () => answerOf(world, endpoint, req);
    const fault = world.faults.take(call);
    record(world, { req, res, call, fault });
    if (fault === undefined) send(res, answer());
    else {
      const { closing, faults } = world;
      await playFault(fault, { res, answer, closing: closing.signal, held: () => faults.hold() });
    }
  };
}

/** For addresses that no merchant's server calls: they are recorded and have no faults. */
export function serveWithoutFaults(world: World, endpoint: Endpoint): RequestHandler {
  return (req, res) => {
    record(world, { req, res });
    send(res, answerOf(world, endpoint, req));
  };
}

/** Parses the JSON of a request whose body was read as text. */
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

interface Recorded {
  readonly req: Request;
  readonly res: Response;
  readonly call?: Call;
  readonly fault?: Fault | undefined;
}

const secretHeaders: readonly string[] = ['authorization', 'x-skyflow-authorization', 'cookie'];

/** Records a call and its response. Must run before anything is sent. */
export function record(world: World, { req, res, call, fault }: Recorded): void {
  const text = typeof req.body === 'string' ? req.body : '';
  const headers = Object.entries(req.headers).map(([name, value]) => {
    return [name, secretHeaders.includes(name) ? schemeOf(String(value)) : String(value)] as const;
  });
  const end = world.exchanges.begin({
    kind: 'call',
    call,
    at: world.now(),
    method: req.method,
    path: req.originalUrl,
    headers: Object.fromEntries(headers),
    sent: call === 'tokenize' ? redactedCard(text) : text,
    fault,
  });
  const answer = firstBytesOf(res);
  res.once('finish', () => end({ status: res.statusCode, answer: answer() }));
  res.once('close', () => {
    if (res.headersSent) end({ status: res.statusCode, lost: 'during', answer: answer() });
    else end({ lost: 'before', answer: '' });
  });
}

/** Captures the first bytes of the response. A compressed body is replaced by the name of its encoding. */
function firstBytesOf(res: Response): () => string {
  let captured = Buffer.alloc(0);
  const wrap = <Method extends (...args: never[]) => unknown>(method: Method): Method => {
    const wrapped = (...args: Parameters<Method>) => {
      const [piece] = args as readonly unknown[];
      const room = bodyLimit - captured.length;
      if (room > 0 && (typeof piece === 'string' || piece instanceof Uint8Array))
        captured = Buffer.concat([captured, Buffer.from(piece.slice(0, room) as string)]);
      return method.apply(res, args);
    };
    // The wrapper has the same parameters and result as the method.
    return wrapped as unknown as Method;
  };
  res.write = wrap(res.write);
  res.end = wrap(res.end);
  return () => {
    const coding = res.getHeader('content-encoding');
    return coding === undefined ? captured.toString() : `[${String(coding)}]`;
  };
}
