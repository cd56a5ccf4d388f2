/** Sends one HTTP request to the gateway, bounded in time and size. Exposes no secret. */
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { gunzipSync } from 'node:zlib';
import { CALLS, type GatewayCall, GatewayError, type GatewayErrorCode, type GatewayErrorFields } from './errors.js';

export interface GatewayRequest {
  readonly call: GatewayCall;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Already serialized, so that what is signed is what is sent. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns whether a response outside 2xx is returned like any other. `json` is `undefined` if the body is not JSON. */
  readonly accepts?: (status: number, json: unknown) => boolean;
}

export interface GatewayResponse {
  readonly status: number;
  readonly json: unknown;
}

/** No response of the interface is larger than a few kB. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/** Creates a client that authenticates with the key. Verifies certificates and requires TLS 1.2 (section 5). */
export function createHttpClient(apiKey: string) {
  const agents = (keepAlive: boolean) => ({
    'http:': new HttpAgent({ keepAlive }),
    'https:': new HttpsAgent({ keepAlive, minVersion: 'TLSv1.2', rejectUnauthorized: true }),
  });
  const reused = agents(true);
  const unshared = agents(false);
  // Every call is JSON (section 5), also one without a body.
  const always = {
    Authorization: `Token ${apiKey}`,
    Accept: 'application/json',
    'Accept-Encoding': 'identity',
    'Content-Type': 'application/json',
    'User-Agent': 'tianguis',
  };
  return {
    /** Sends a request and reads its response. A GET follows one redirect. Throws {@link GatewayError} only. */
    async send(request: AddressedRequest): Promise<GatewayResponse> {
      const { call, url, headers, deadlineMs } = request;
      const agent = (CALLS[call].retries ? reused : unshared)[url.startsWith('https:') ? 'https:' : 'http:'];
      const addressed = { ...request, headers: { ...always, ...headers }, signal: AbortSignal.timeout(deadlineMs) };
      const raw = await exchange(addressed, agent);
      const target = redirectTarget(request, raw);
      return readResponse(request, target ? await exchange({ ...addressed, url: target }, agent) : raw);
    },
    [Symbol.dispose]() {
      for (const agent of [reused, unshared].flatMap(Object.values<HttpAgent>)) agent.destroy();
    },
  };
}

type AddressedRequest = GatewayRequest & {
  readonly url: string;
  /** Milliseconds from connecting to the last byte. */
  readonly deadlineMs: number;
};

interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Before decoding. `undefined` if it is larger than `MAX_RESPONSE_BYTES`. */
  readonly body: Buffer | undefined;
}

/** Sends the request and reads the whole response before the signal aborts. */
function exchange(
  { call, method, url, headers, body, signal }: GatewayRequest & { readonly url: string; readonly signal: AbortSignal },
  agent: HttpAgent,
): Promise<RawResponse> {
  const open = agent instanceof HttpsAgent ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown, isConnected = true) =>
      reject(new GatewayError({ call, ...classifyError(error, isConnected, signal.aborted) }));
    try {
      const outgoing = open(url, { method, headers, agent, signal });
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
    if (size > MAX_RESPONSE_BYTES) return { status, headers, body: undefined };
    chunks.push(chunk);
  }
  return { status, headers, body: Buffer.concat(chunks) };
}

const REDIRECTS = [301, 302, 307, 308];

/** Returns the address of a redirect that is followed: of a GET, to the origin that already has the key. */
function redirectTarget({ method, url }: AddressedRequest, { status, headers }: RawResponse): string | undefined {
  const { location } = headers;
  if (method !== 'GET' || !REDIRECTS.includes(status) || !location || !URL.canParse(location, url)) return undefined;
  const target = new URL(location, url);
  const isSafe = target.origin === new URL(url).origin && target.username + target.password === '';
  return isSafe ? target.href : undefined;
}

const CERTIFICATE_ERROR = /^(?:ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_INVALID_CHAR)/;

function classifyError(
  error: unknown,
  isConnected: boolean,
  isLate: boolean,
): Pick<GatewayErrorFields, 'code' | 'reason'> {
  const { code: reason = 'unknown' } = error as NodeJS.ErrnoException;
  if (!isConnected || CERTIFICATE_ERROR.test(reason) || failedToConnect(error)) return { code: 'unreachable', reason };
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
    errors.every((failure) => /^(?:connect|getaddrinfo)$/.test((failure as NodeJS.ErrnoException).syscall ?? ''))
  );
}

function readResponse({ call, accepts }: GatewayRequest, { status, headers, body }: RawResponse): GatewayResponse {
  const bytes = body && decode(body, headers['content-encoding']);
  if (!bytes) throw new GatewayError({ call, code: 'bad_answer', status, reason: 'too_large' });
  const json = parseJson(bytes);
  const isSuccess = status >= 200 && status < 300;
  if (!isSuccess && !accepts?.(status, json)) {
    const code = codeOfStatus(status, call);
    const retryAfterMs = code === 'rate_limited' ? readRetryAfter(headers['retry-after'], json) : undefined;
    throw new GatewayError({ call, status, code, retryAfterMs });
  }
  if (json === undefined) throw new GatewayError({ call, code: 'bad_answer', status, reason: 'not_json' });
  return { status, json };
}

/** An empty body is not JSON. */
const UNREADABLE = Buffer.alloc(0);

/** Decodes gzip, the only accepted encoding. Returns `undefined` if the result is larger than `MAX_RESPONSE_BYTES`. */
function decode(body: Buffer, encoding = 'identity'): Buffer | undefined {
  if (encoding === 'identity') return body;
  if (!/^(?:x-)?gzip$/i.test(encoding)) return UNREADABLE;
  try {
    return gunzipSync(body, { maxOutputLength: MAX_RESPONSE_BYTES });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? undefined : UNREADABLE;
  }
}

function codeOfStatus(status: number, call: GatewayCall): GatewayErrorCode {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  if (status === 409 && call === 'create-session') return 'conflict';
  // A server or proxy also answers 408 and 409 while it works on the request: they refuse nothing.
  if (status >= 500 || status === 408 || status === 409) return 'server_error';
  return status >= 400 ? 'refused' : 'bad_answer';
}

const MIN_RETRY_AFTER_S = 1;
const MAX_RETRY_AFTER_S = 600;

/** Milliseconds from the header `Retry-After`, else from the body's `retry_after`, else 1 s; at most 10 minutes. */
function readRetryAfter(header: string | undefined, json: unknown): number {
  const { error } = (json ?? {}) as { readonly error?: { readonly retry_after?: unknown } | null };
  const stated = [Number(header ?? Number.NaN), error?.retry_after].find(Number.isFinite);
  return Math.min(Math.max(Number(stated ?? 0), MIN_RETRY_AFTER_S), MAX_RETRY_AFTER_S) * 1000;
}

/** Returns `undefined` if the bytes are not JSON or not valid UTF-8. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
