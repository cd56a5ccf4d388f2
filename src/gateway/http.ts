/** Sends one HTTP request to the gateway, bounded in time and size. Follows no redirect and exposes no secret. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type GatewayCall, GatewayError, type GatewayErrorFields } from './errors.js';

export interface GatewayRequest {
  readonly call: GatewayCall;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Already serialized, so that what is signed is what is sent. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds from connecting to the last byte; for the whole call, all its retries. */
  readonly deadlineMs: number;
  readonly retries: boolean;
  /** Opens a new connection, because an idle one that breaks leaves the outcome unknown. */
  readonly newConnection?: boolean;
  /** A status outside 2xx whose body is returned like any other. */
  readonly acceptStatus?: number;
  /** Returns whether a response outside 2xx with this body is returned like any other. */
  readonly acceptError?: (json: unknown) => boolean;
}

export interface GatewayResponse {
  readonly status: number;
  readonly json: unknown;
}

/** No response of the interface is larger than a few kB. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/** Creates a client that authenticates with the key. Verifies certificates and requires TLS 1.2 (section 5). */
export function createHttpClient(apiKey: string) {
  const tls = { minVersion: 'TLSv1.2', rejectUnauthorized: true } as const;
  const transports = (keepAlive: boolean) => ({
    'http:': { open: httpRequest, agent: new HttpAgent({ keepAlive }) },
    'https:': { open: httpsRequest, agent: new HttpsAgent({ keepAlive, ...tls }) },
  });
  const reused = transports(true);
  const unshared = transports(false);
  // Every call is JSON (section 5), also one without a body.
  const always = {
    Authorization: `Token ${apiKey}`,
    Accept: 'application/json',
    'Accept-Encoding': 'identity',
    'Content-Type': 'application/json',
    'User-Agent': 'tianguis',
  };
  return {
    /** Sends a request and reads its response. Throws {@link GatewayError} only. */
    async send(request: AddressedRequest): Promise<GatewayResponse> {
      const { url, newConnection } = request;
      const protocol = url.startsWith('https:') ? 'https:' : 'http:';
      const transport = (newConnection ? unshared : reused)[protocol];
      return readResponse(request, await exchange(request, { ...transport, always }));
    },
    [Symbol.dispose]() {
      for (const transport of [reused, unshared]) {
        transport['http:'].agent.destroy();
        transport['https:'].agent.destroy();
      }
    },
  };
}

type AddressedRequest = GatewayRequest & { readonly url: string };

interface Transport {
  readonly open: typeof httpRequest;
  readonly agent: HttpAgent;
  readonly always: Readonly<Record<string, string>>;
}

interface RawResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** `undefined` if it is larger than `MAX_RESPONSE_BYTES`. */
  readonly body: Buffer | undefined;
}

/** Sends the request and reads the whole response before the deadline. */
function exchange(
  { call, method, url, headers, body, deadlineMs }: AddressedRequest,
  { open, agent, always }: Transport,
): Promise<RawResponse> {
  const signal = AbortSignal.timeout(deadlineMs);
  return new Promise((resolve, reject) => {
    const fail = (error: unknown, isConnected = true) =>
      reject(new GatewayError({ call, ...classifyError(error, { isConnected, isLate: signal.aborted }) }));
    try {
      const outgoing = open(url, { method, headers: { ...always, ...headers }, agent, signal });
      let hasResponse = false;
      outgoing.once('response', (response) => {
        hasResponse = true;
        readAll(response).then(resolve, fail);
      });
      // TLS is established only after the handshake.
      outgoing.on('error', (error) => fail(error, !isHandshaking(outgoing.socket)));
      // A connection that is upgraded to another protocol closes without an error.
      outgoing.once('close', () => {
        if (!hasResponse) fail(new Error('closed without a response'));
      });
      outgoing.end(body);
    } catch (error) {
      fail(error);
    }
  });
}

function isHandshaking(socket: object | null): boolean {
  return socket !== null && 'secureConnecting' in socket && socket.secureConnecting === true;
}

async function readAll(response: IncomingMessage): Promise<RawResponse> {
  const { statusCode: status = 0, headers } = response;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) return { status, retryAfter: headers['retry-after'], body: undefined };
    chunks.push(chunk);
  }
  return { status, retryAfter: headers['retry-after'], body: Buffer.concat(chunks) };
}

type Failure = Pick<GatewayErrorFields, 'code' | 'reason'>;

const CERTIFICATE_ERROR = /^(?:ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_INVALID_CHAR)/;

function classifyError(
  error: unknown,
  { isConnected, isLate }: { readonly isConnected: boolean; readonly isLate: boolean },
): Failure {
  const { code: reason = 'unknown' } = error as NodeJS.ErrnoException;
  if (!isConnected || CERTIFICATE_ERROR.test(reason) || failedToConnect(error))
    return { code: 'unreachable', reason };
  return { code: isLate ? 'timeout' : 'connection_lost', reason };
}

/**
 * Returns whether no connection was established, so that no byte of the request can have arrived. A code such as
 * `EHOSTUNREACH` alone proves nothing: it also ends established connections.
 */
function failedToConnect(error: unknown): boolean {
  // Node reports an `AggregateError` when it tried several addresses.
  const { errors = [error] } = error as { readonly errors?: readonly unknown[] };
  return (
    errors.length > 0 &&
    errors.every((failure) =>
      /^(?:connect|getaddrinfo)$/.test((failure as NodeJS.ErrnoException).syscall ?? ''),
    )
  );
}

function readResponse(request: GatewayRequest, response: RawResponse): GatewayResponse {
  const { call, acceptStatus } = request;
  const { status, body } = response;
  if (!body) throw new GatewayError({ call, code: 'bad_answer', status, reason: 'too_large' });
  const isSuccess = status >= 200 && status < 300;
  const accepted = isSuccess || status === acceptStatus || isAcceptedError(request, body);
  if (!accepted) throw new GatewayError({ call, status, ...classifyStatus(response, body) });
  try {
    return { status, json: parseJson(body) };
  } catch {
    throw new GatewayError({ call, code: 'bad_answer', status, reason: 'not_json' });
  }
}

function isAcceptedError({ acceptError }: GatewayRequest, body: Buffer): boolean {
  if (!acceptError) return false;
  try {
    return acceptError(parseJson(body));
  } catch {
    return false;
  }
}

function classifyStatus(
  { status, retryAfter }: RawResponse,
  body: Buffer,
): Pick<GatewayErrorFields, 'code' | 'retryAfterMs'> {
  if (status === 401 || status === 403) return { code: 'unauthorized' };
  if (status === 404) return { code: 'not_found' };
  if (status === 429) return { code: 'rate_limited', retryAfterMs: readRetryAfter(retryAfter, body) };
  // A server or proxy also answers 408 and 409 while it works on the request: they refuse nothing.
  if (status >= 500 || status === 408 || status === 409) return { code: 'server_error' };
  return { code: status >= 400 ? 'refused' : 'bad_answer' };
}

const MIN_RETRY_AFTER_S = 1;
const MAX_RETRY_AFTER_S = 600;

/** Milliseconds from the header `Retry-After`, else from the body's `retry_after`, else 1 s; at most 10 minutes. */
function readRetryAfter(header: string | undefined, body: Buffer): number {
  const stated = Number(header ?? Number.NaN);
  const seconds = Number.isFinite(stated) ? stated : readRetryAfterBody(body);
  return Math.min(Math.max(seconds, MIN_RETRY_AFTER_S), MAX_RETRY_AFTER_S) * 1000;
}

function readRetryAfterBody(bytes: Buffer): number {
  try {
    const body = parseJson(bytes) as { error?: { retry_after?: unknown } };
    const seconds = body.error?.retry_after;
    return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds : MIN_RETRY_AFTER_S;
  } catch {
    return MIN_RETRY_AFTER_S;
  }
}

/** Parses bytes as JSON; throws when they are not JSON or not valid UTF-8. */
function parseJson(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
}
