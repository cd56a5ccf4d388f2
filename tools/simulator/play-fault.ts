/** Injects a fault into a response. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import type { Response } from 'express';
import type { Fault } from './faults.js';
import { rewrite } from './rewrite.js';

export interface Stage {
  readonly res: Response;
  /** Applies the effect and returns the real response. */
  readonly answer: () => { readonly status: number; readonly body: unknown };
  readonly closing: AbortSignal;
  /** Resolves when held responses are released. */
  readonly held: () => Promise<void>;
}

/** Sends the response that the fault defines. Applies the effect of the call if the fault says so. */
export async function playFault(fault: Fault, stage: Stage): Promise<void> {
  const { res, answer } = stage;
  if ('apply' in fault && fault.apply === true) answer();
  switch (fault.kind) {
    case 'latency':
      return await late(stage, () => pause(fault.ms, stage.closing));
    case 'review':
      return await late(stage, stage.held);
    case 'drip':
      return await drip(fault.bytesPerSecond, stage);
    case 'drop':
      if (fault.when === 'after') answer();
      res.socket?.resetAndDestroy();
      return;
    case 'hang':
      // The connection ends with the client or the simulator.
      return;
    case 'status':
      res
        .status(fault.status)
        .set(fault.headers ?? {})
        .json(fault.body ?? {});
      return;
    case 'raw':
      sendRaw(res, fault);
      return;
    case 'rewrite': {
      const { status, body } = answer();
      res.status(status).json(rewrite(body, fault));
      return;
    }
    case 'huge':
      return await huge(res, fault.bytes);
    case 'gzip-bomb':
      return await gzipBomb(res, fault.bytes);
    case 'redirect':
      res.redirect(302, fault.location);
  }
}

/** The effect is immediate and the response late, so that a client that times out does not know the effect. */
async function late({ res, answer }: Stage, wait: () => Promise<void>): Promise<void> {
  const { status, body } = answer();
  await wait();
  if (!res.destroyed) res.status(status).json(body);
}

async function drip(bytesPerSecond: number, { res, answer, closing }: Stage): Promise<void> {
  const { status, body } = answer();
  const bytes = Buffer.from(JSON.stringify(body));
  res.status(status).set({ 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) });
  res.flushHeaders();
  // A fast drip sends several bytes at a time, because timers have a resolution of 1 ms.
  const piece = Math.max(1, Math.floor(bytesPerSecond / 100));
  for (let at = 0; at < bytes.length && !res.destroyed && !closing.aborted; at += piece) {
    res.write(bytes.subarray(at, at + piece));
    await pause((1000 * piece) / bytesPerSecond, closing);
  }
  res.end();
}

function sendRaw(res: Response, fault: Extract<Fault, { kind: 'raw' }>): void {
  res.status(fault.status ?? 200).set(fault.headers ?? {});
  res.setHeader('Content-Type', fault.contentType ?? 'application/json');
  res.end(fault.body);
}

async function huge(res: Response, bytes: number): Promise<void> {
  res.status(200).set('Content-Type', 'application/json');
  await pour([Readable.from(padded(bytes)), res]);
}

async function gzipBomb(res: Response, bytes: number): Promise<void> {
  res.status(200).set({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
  await pour([Readable.from(padded(bytes)), createGzip({ level: 9 }), res]);
}

/** One JSON object of this size, generated while it is read. */
function* padded(bytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(65_536, 'a');
  yield Buffer.from('{"id":"');
  for (let left = bytes; left > 0; left -= piece.length)
    yield piece.subarray(0, Math.min(left, piece.length));
  yield Buffer.from('"}');
}

async function pour(
  streams: readonly (NodeJS.ReadableStream | NodeJS.ReadWriteStream | NodeJS.WritableStream)[],
) {
  // A client that closes the connection early is expected.
  await pipeline(streams).catch(() => undefined);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
