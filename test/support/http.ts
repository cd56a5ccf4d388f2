/** HTTP client for one exchange with a deadline. Follows no redirect and validates nothing. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Sending {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly timeoutMs?: number;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Milliseconds from the start of the request to the last byte of the response. */
  readonly ms: number;
}

const PATIENCE_MS = 45_000;
/**
 * 1.5 s, shorter than the keep-alive timeout of the server, so that no request uses a connection that is being
 * closed.
 */
const IDLE_MS = 1_500;
const agent = new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 256, timeout: IDLE_MS });

/**
 * Sends one request. Rejects when the connection breaks or the timeout passes. `target` is sent unchanged; `URL`
 * would normalize it.
 */
export function exchange(origin: string, target: string, sending: Sending = {}): Promise<Reply> {
  const { method = 'GET', headers = {}, body, timeoutMs = PATIENCE_MS } = sending;
  const { hostname, port } = new URL(origin);
  const startedAt = performance.now();
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
          const ms = performance.now() - startedAt;
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, ms });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Closes all idle and active connections of the client. */
export function closeConnections(): void {
  agent.destroy();
}
