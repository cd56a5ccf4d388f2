import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import type { Response } from 'express';
import { isRecord } from './api-error.js';
import type { Fault } from './faults.js';
import type { SimulatorState } from './state.js';

interface FaultTarget {
  readonly state: SimulatorState;
  readonly res: Response;
  /** Applies the effect of the call and returns the real response. */
  readonly respond: () => { readonly status: number; readonly body: unknown };
}

/** Sends the response that the fault defines, with or without the effect of the call. */
export async function injectFault(fault: Fault, target: FaultTarget): Promise<void> {
  const { state, res, respond } = target;
  if ('apply' in fault && fault.apply === true) respond();
  switch (fault.kind) {
    case 'latency':
      return await sendAfter(pause(fault.ms, state.shutdown.signal), target);
    case 'hold':
      return await sendAfter(state.faults.hold(), target);
    case 'drip':
      return await sendSlowly(fault.bytesPerSecond, target);
    case 'drop':
      if (fault.when === 'after') respond();
      res.socket?.resetAndDestroy();
      return;
    case 'hang':
      // The connection ends with the client or the simulator.
      return;
    case 'status':
      res
        .status(fault.status)
        .set(fault.headers)
        .json(fault.body ?? {});
      return;
    case 'raw':
      res.status(fault.status ?? 200).set(fault.headers);
      res.setHeader('Content-Type', fault.contentType ?? 'application/json');
      res.send(Buffer.from(fault.body));
      return;
    case 'rewrite': {
      const { status, body } = respond();
      res.status(status).json(rewrite(body, fault.set, fault.remove));
      return;
    }
    case 'huge':
    case 'gzip-bomb':
      return await sendLargeBody(res, fault);
    case 'redirect':
      res.redirect(302, fault.location);
  }
}

/** The effect is immediate and the response late, so the call of a client that times out has its effect. */
async function sendAfter(ready: Promise<void>, { res, respond }: FaultTarget): Promise<void> {
  const { status, body } = respond();
  await ready;
  if (!res.destroyed) res.status(status).json(body);
}

async function sendSlowly(bytesPerSecond: number, { state, res, respond }: FaultTarget): Promise<void> {
  const { signal } = state.shutdown;
  const { status, body } = respond();
  const bytes = Buffer.from(JSON.stringify(body));
  res.status(status).set({ 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) });
  res.flushHeaders();
  // At high rates it sends several bytes at a time, because timers have a resolution of 1 ms.
  const chunkLength = Math.max(1, Math.floor(bytesPerSecond / 100));
  for (let at = 0; at < bytes.length && !res.destroyed && !signal.aborted; at += chunkLength) {
    res.write(bytes.subarray(at, at + chunkLength));
    await pause((1000 * chunkLength) / bytesPerSecond, signal);
  }
  res.end();
}

async function sendLargeBody(
  res: Response,
  { kind, bytes }: { readonly kind: 'huge' | 'gzip-bomb'; readonly bytes: number },
): Promise<void> {
  res.status(200).set('Content-Type', 'application/json');
  if (kind === 'gzip-bomb') res.set('Content-Encoding', 'gzip');
  const body = Readable.from(jsonOfSize(bytes));
  const sent = kind === 'huge' ? pipeline(body, res) : pipeline(body, createGzip({ level: 9 }), res);
  // A client that closes the connection early is expected.
  await sent.catch(() => undefined);
}

/** One JSON object of this size, generated while it is read. */
function* jsonOfSize(bytes: number): Generator<Buffer> {
  const chunk = Buffer.alloc(65_536, 'a');
  yield Buffer.from('{"id":"');
  for (let left = bytes; left > 0; left -= chunk.length) yield chunk.subarray(0, Math.min(left, chunk.length));
  yield Buffer.from('"}');
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/** Returns a copy of the body with fields set and then removed. A path such as `customer.email` names a nested field. */
function rewrite(body: unknown, set: Readonly<Record<string, unknown>>, remove: readonly string[] = []): unknown {
  const changed = Object.entries(set).reduce((result, [path, value]) => setField(result, path, value), body);
  return remove.reduce((result, path) => setField(result, path, undefined), changed);
}

/** `undefined` removes the field. `Object.fromEntries` also creates `__proto__` as an own field. */
function setField(body: unknown, path: string, value: unknown): unknown {
  if (value === undefined && !isRecord(body)) return body;
  const [key = '', ...rest] = path.split('.');
  const fields = isRecord(body) ? Object.entries(body) : [];
  const own = fields.find(([name]) => name === key)?.[1];
  const field = rest.length === 0 ? value : setField(own, rest.join('.'), value);
  const others = fields.filter(([name]) => name !== key);
  return Object.fromEntries(field === undefined ? others : [...others, [key, field]]);
}
