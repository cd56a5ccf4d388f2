/** Writes down a call to the service and what was really sent back, whoever sends it and however it ends. */
import type { Request, Response } from 'express';
import { bodyLimit } from './exchanges.js';
import type { Call, Fault } from './faults.js';
import { schemeOf } from './redact.js';
import { redactedCard } from './vault.js';
import type { World } from './world.js';

export interface Heard {
  readonly req: Request;
  readonly res: Response;
  readonly call?: Call;
  readonly fault?: Fault | undefined;
}

/** To be called before anything is answered. */
export function listenIn(world: World, { req, res, call, fault }: Heard): void {
  const text = typeof req.body === 'string' ? req.body : '';
  const end = world.exchanges.begin(
    {
      kind: 'call',
      call,
      at: world.now(),
      method: req.method,
      path: req.originalUrl,
      headers: redactedHeaders(req),
      sent: call === 'tokenize' ? withoutCard(text) : text,
    },
    fault,
  );
  const answer = firstBytesOf(res);
  res.once('finish', () => end({ status: res.statusCode, answer: answer() }));
  res.once('close', () => {
    end(
      res.headersSent
        ? { status: res.statusCode, lost: 'during', answer: answer() }
        : { lost: 'before', answer: '' },
    );
  });
}

/** The beginning of an answer, as text, once it has been sent. */
function firstBytesOf(res: Response): () => string {
  const pieces: Buffer[] = [];
  let room = bodyLimit;
  const keep = (piece: unknown) => {
    if (room <= 0 || (typeof piece !== 'string' && !(piece instanceof Uint8Array))) return;
    const bytes = Buffer.from(typeof piece === 'string' ? piece.slice(0, room) : piece.subarray(0, room));
    room -= bytes.length;
    pieces.push(bytes);
  };
  const { write, end } = res;
  // The wrappers pass on whatever they are given, so they are called as the wrapped ones are.
  res.write = ((...given: Parameters<typeof write>) => {
    keep(given[0]);
    return write.apply(res, given);
  }) as typeof write;
  res.end = ((...given: Parameters<typeof end>) => {
    keep(given[0]);
    return end.apply(res, given);
  }) as typeof end;
  return () => {
    const coding = res.getHeader('content-encoding');
    return coding === undefined ? Buffer.concat(pieces).toString() : `[${String(coding)}]`;
  };
}

const secretHeaders: readonly string[] = ['authorization', 'x-skyflow-authorization', 'cookie'];

/** The headers of a request; of a secret only its scheme is kept. */
function redactedHeaders(req: Request): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(req.headers).map(([name, value]) => [
      name,
      secretHeaders.includes(name) ? schemeOf(String(value)) : String(value),
    ]),
  );
}

function withoutCard(text: string): string {
  try {
    return JSON.stringify(redactedCard(JSON.parse(text)));
  } catch {
    return '"[redacted]"';
  }
}
