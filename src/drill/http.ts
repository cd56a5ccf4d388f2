/** One HTTP exchange as a plain client makes it: follows nothing, believes nothing, ends by its deadline. */
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
  /** From the first byte sent to the last byte read. */
  readonly ms: number;
}

const PATIENCE_MS = 45_000;
/** Shorter than a server keeps an idle connection open, so that none is used at the moment when it is being closed. */
const IDLE_MS = 1_500;
const agent = new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 256, timeout: IDLE_MS });

/** Rejects when the connection breaks or the answer takes too long. `target` may hold a path that `URL` would tidy. */
export function exchange(origin: string, target: string, sending: Sending = {}): Promise<Reply> {
  const { method = 'GET', headers = {}, body, timeoutMs = PATIENCE_MS } = sending;
  const { hostname, port } = new URL(origin);
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        // Both programs listen on loopback only; asking for the name's addresses would cost time at each call.
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

export function closeConnections(): void {
  agent.destroy();
}
