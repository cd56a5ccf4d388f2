/** Sends one HTTP request to the gateway, bounded in time and size. Follows no redirect and exposes no secret. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { AxiosError, AxiosInstance, AxiosResponse } from 'axios';
import { once } from '../domain/memoize-async.js';
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
}

export interface GatewayResponse {
  readonly status: number;
  readonly json: unknown;
}

export interface HttpClient extends Disposable {
  /** Loads the HTTP library, which the first request does otherwise. */
  warmUp(): Promise<void>;
  /** Sends a request and reads its response. Throws {@link GatewayError} only. */
  send(request: GatewayRequest & { readonly url: string }): Promise<GatewayResponse>;
}

/** After decompression. No response of the interface is larger than a few kB. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/** Creates a client that authenticates with the key. Verifies certificates and requires TLS 1.2 (section 5). */
export function createHttpClient(apiKey: string): HttpClient {
  const tls = { minVersion: 'TLSv1.2', rejectUnauthorized: true } as const;
  const agents = (keepAlive: boolean) => ({
    httpAgent: new HttpAgent({ keepAlive }),
    httpsAgent: new HttpsAgent({ keepAlive, ...tls }),
  });
  const reused = agents(true);
  const unshared = agents(false);
  const loadClient = once(() => createAxios(apiKey));
  return {
    async warmUp() {
      await loadClient();
    },
    async send(request) {
      const { call, method, url, body, headers, deadlineMs } = request;
      const client = await loadClient().catch(() => {
        throw new GatewayError({ call, code: 'unreachable', reason: 'no_client' });
      });
      const response = await client
        .request<Buffer>({
          method,
          url,
          data: body,
          headers: { ...headers },
          ...(request.newConnection ? unshared : reused),
          // The timeout of axios counts idle time only; the signal also ends a slow drip.
          timeout: deadlineMs,
          signal: AbortSignal.timeout(deadlineMs),
        })
        .catch((error: unknown) => {
          throw new GatewayError({ call, ...classifyError(error) });
        });
      return readResponse(request, response);
    },
    [Symbol.dispose]() {
      for (const { httpAgent, httpsAgent } of [reused, unshared]) {
        httpAgent.destroy();
        httpsAgent.destroy();
      }
    },
  };
}

/** Imported lazily: loading axios takes longer than the rest of the start, and the first page does not need it. */
async function createAxios(apiKey: string): Promise<AxiosInstance> {
  const { default: axios } = await import('axios');
  return axios.create({
    // Every call is JSON (section 5), also one without a body.
    headers: {
      Authorization: `Token ${apiKey}`,
      Accept: 'application/json',
      'Content-Type': 'application/json',
    },
    responseType: 'arraybuffer',
    maxRedirects: 0,
    maxContentLength: MAX_RESPONSE_BYTES,
    maxBodyLength: 1024 * 1024,
    proxy: false,
    validateStatus: null,
    transformRequest: [(body: unknown) => body],
  });
}

type Failure = Pick<GatewayErrorFields, 'code' | 'reason'>;

const CERTIFICATE_ERROR = /^(?:ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_INVALID_CHAR)/;

function classifyError(error: unknown): Failure {
  if (!isAxiosError(error)) return { code: 'connection_lost', reason: 'unknown' };
  const reason = error.code ?? 'unknown';
  if (CERTIFICATE_ERROR.test(reason) || failedToConnect(error)) return { code: 'unreachable', reason };
  if (/^(?:ERR_CANCELED|ECONNABORTED|ETIMEDOUT)$/.test(reason)) return { code: 'timeout', reason };
  // With a response's head but not its end the connection broke; without, axios itself rejected the response.
  if (reason === 'ERR_BAD_RESPONSE' && error.response) return { code: 'connection_lost', reason };
  if (/^(?:ERR_BAD_RESPONSE|ERR_FR_|Z_|ERR__ERROR_FORMAT)/.test(reason))
    return { code: 'bad_answer', reason };
  return { code: 'connection_lost', reason };
}

function isAxiosError(error: unknown): error is AxiosError {
  return error instanceof Error && 'isAxiosError' in error && error.isAxiosError === true;
}

/**
 * Returns whether no connection was established, so that no byte of the request can have arrived. A code such as
 * `EHOSTUNREACH` alone proves nothing: it also ends established connections.
 */
function failedToConnect(error: AxiosError): boolean {
  const cause = error.cause as (NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }) | undefined;
  const failures = cause?.errors ?? [cause];
  if (failures.every((failure) => /^(?:connect|getaddrinfo)$/.test(failure?.syscall ?? ''))) return true;
  const { socket } = (error.request ?? {}) as { socket?: { secureConnecting?: boolean } };
  return socket?.secureConnecting === true;
}

function readResponse(
  { call, acceptStatus }: GatewayRequest,
  response: AxiosResponse<Buffer>,
): GatewayResponse {
  const { status } = response;
  const accepted = (status >= 200 && status < 300) || status === acceptStatus;
  if (!accepted) throw new GatewayError({ call, status, ...classifyStatus(response) });
  try {
    return { status, json: parseJson(response.data) };
  } catch {
    throw new GatewayError({ call, code: 'bad_answer', status, reason: 'not_json' });
  }
}

function classifyStatus(response: AxiosResponse<Buffer>): Pick<GatewayErrorFields, 'code' | 'retryAfterMs'> {
  const { status } = response;
  if (status === 401 || status === 403) return { code: 'unauthorized' };
  if (status === 404) return { code: 'not_found' };
  if (status === 429) return { code: 'rate_limited', retryAfterMs: readRetryAfter(response) };
  // A server or proxy also answers 408 and 409 while it works on the request: they refuse nothing.
  if (status >= 500 || status === 408 || status === 409) return { code: 'server_error' };
  return { code: status >= 400 ? 'refused' : 'bad_answer' };
}

const MIN_RETRY_AFTER_S = 1;
const MAX_RETRY_AFTER_S = 600;

/** Milliseconds from the header `Retry-After`, else from the body's `retry_after`, else 1 s; at most 10 minutes. */
function readRetryAfter(response: AxiosResponse<Buffer>): number {
  const header = Number(response.headers['retry-after'] ?? Number.NaN);
  const seconds = Number.isFinite(header) ? header : readRetryAfterBody(response.data);
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
