import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { CLIENT_LEVELS } from '../shop/rules/stock.js';
import { clientOf } from './client-address.js';

const LIMITS = {
  /** Time until the request headers are complete, in milliseconds. Also applies to connections that send nothing. */
  headersMs: 10_000,
  /** Time until a request with its body is complete, in milliseconds. A photo of 20 MB needs 3 Mbit/s. */
  requestMs: 60_000,
  /** Time until an idle connection is closed, in milliseconds. Must be longer than that of a proxy. */
  keepAliveMs: 65_000,
  /** Time that a client may leave a response chunk unread, in milliseconds. The time for its size is added. */
  stalledMs: 30_000,
  /** Lowest transfer rate. It sets the time for the size of a chunk. */
  minBytesPerSecond: 4_096,
  /** Interval of the checks for these limits, in milliseconds. */
  checkEveryMs: 2_000,
  maxConnections: 2_000,
  /** Unlimited by default, because all connections through a proxy have one address. */
  maxPerAddress: Number.POSITIVE_INFINITY,
  /** Maximum number of unanswered requests on one connection. */
  maxPipelined: 10,
  maxHeaderBytes: 16_384,
};
export type ConnectionLimits = Readonly<typeof LIMITS>;

interface ServerOptions {
  readonly limits?: Partial<ConnectionLimits>;
  /** Called for each connection above `maxConnections` or `maxPerAddress`. Such a connection is closed without a response. */
  readonly onDrop?: () => void;
}

/** Creates an HTTP server that closes connections of slow senders and slow readers, and those above the maximum. */
export function createHttpServer(app: Express, options: ServerOptions = {}): Server {
  const limits = { ...LIMITS, ...options.limits };
  const server = createServer(
    {
      ...messageClasses(app),
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      maxHeaderSize: limits.maxHeaderBytes,
    },
    limitPipelining(app, limits),
  );
  server.maxConnections = limits.maxConnections;
  // Node drops further headers without an error. `refuseMalformed` counts them instead.
  server.maxHeadersCount = 0;
  if (options.onDrop) server.on('drop', options.onDrop);
  limitAddresses(server, limits, options.onDrop);
  closeStalledConnections(server, limits);
  return server;
}

/** Destroys connections above the maximum of their remote address, or of the networks around it. */
function limitAddresses(server: Server, { maxPerAddress }: ConnectionLimits, onDrop?: () => void): void {
  const counts = new Map<string, number>();
  const add = (name: string, change: 1 | -1) => {
    const count = (counts.get(name) ?? 0) + change;
    if (count > 0) counts.set(name, count);
    else counts.delete(name);
    return count;
  };
  server.on('connection', (socket: Socket) => {
    const client = clientOf({ ip: socket.remoteAddress });
    const levels = CLIENT_LEVELS.filter(({ member }) => client[member] !== '');
    const exceeded = levels.filter(({ member, factor }) => add(client[member], 1) > maxPerAddress * factor);
    socket.once('close', () => {
      for (const { member } of levels) add(client[member], -1);
    });
    if (exceeded.length === 0) return;
    socket.destroy();
    onDrop?.();
  });
}

/**
 * Returns classes whose instances have the prototypes that Express sets on each request and response.
 * `Object.setPrototypeOf` in Express then changes nothing. V8 deoptimizes objects whose prototype changes.
 * Without these classes a cart page takes 1.6 times the processor time, a cached page 3.6 times.
 */
function messageClasses(app: Express): {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
} {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<R extends IncomingMessage> extends ServerResponse<R> {}
  app.request = Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/**
 * Destroys connections with more than `maxPipelined` unanswered requests, because their responses wait in memory.
 * Browsers and proxies do not pipeline requests.
 */
function limitPipelining(serve: RequestListener, { maxPipelined }: ConnectionLimits): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  return (req, res) => {
    const { socket } = req;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    if (count > maxPipelined) {
      socket.destroy();
      return;
    }
    res.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    serve(req, res);
  };
}

/**
 * Destroys connections whose client does not read a pending response. When the server is closing, it also closes idle
 * connections, and those that sent nothing. Browsers open such connections in advance.
 * Progress is visible only when the operating system has accepted a whole chunk, so a large chunk has more time.
 * `server.timeout` of Node does not help. It also ends requests that wait for the gateway, and any byte from the
 * client restarts it.
 */
function closeStalledConnections(server: Server, limits: ConnectionLimits): void {
  const progress = new Map<Socket, { readonly sentBytes: number; readonly at: number }>();
  server.on('connection', (socket: Socket) => {
    progress.set(socket, { sentBytes: 0, at: performance.now() });
    socket.once('close', () => progress.delete(socket));
  });
  const timer = setInterval(() => {
    const now = performance.now();
    if (!server.listening) server.closeIdleConnections();
    for (const [socket, last] of progress) {
      if (!server.listening && socket.bytesRead === 0) socket.destroy();
      const pendingBytes = socket.writableLength;
      const sentBytes = socket.bytesWritten - pendingBytes;
      const allowedMs = limits.stalledMs + (pendingBytes / limits.minBytesPerSecond) * 1_000;
      if (pendingBytes === 0 || sentBytes !== last.sentBytes) progress.set(socket, { sentBytes, at: now });
      else if (now - last.at >= allowedMs) socket.destroy();
    }
  }, limits.checkEveryMs).unref();
  server.once('close', () => clearInterval(timer));
}
