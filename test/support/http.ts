/** HTTP client for one exchange with a deadline, and a local server. */
import { once } from 'node:events';
import { Agent, createServer, type IncomingHttpHeaders, type RequestListener, request } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';

interface RequestOptions {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly timeoutMs?: number;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const TIMEOUT_MS = 45_000;
/** Shorter than the keep-alive timeout of the server, so that no request uses a connection that is being closed. */
const IDLE_MS = 1_500;
const agent = new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 256, timeout: IDLE_MS });

/** Lets a server listen on a free loopback port. Disposal breaks its connections. */
export async function listen(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.on('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // Bound to a TCP port, so the address is an object.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts an HTTP server on a free loopback port. It closes no idle connection, however slow the machine is. */
export const openServer = (answer: RequestListener) => listen(createServer({ keepAliveTimeout: 60_000 }, answer));

/**
 * Sends one request without following redirects. Rejects when the connection breaks or the timeout passes. `target` is sent unchanged; `URL`
 * would normalize it.
 */
export function exchange(origin: string, target: string, options: RequestOptions = {}): Promise<Reply> {
  const { method = 'GET', headers = {}, body, timeoutMs = TIMEOUT_MS } = options;
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        // All programs listen on loopback. A fixed address saves a DNS lookup for each call.
        host: hostname === 'localhost' ? '127.0.0.1' : hostname,
        port,
        path: target,
        method,
        headers: { ...headers, ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }) },
        signal: AbortSignal.timeout(timeoutMs),
      },
      (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(pieces).toString('utf8');
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
