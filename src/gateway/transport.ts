/** One HTTP exchange with the service: bounded in time and size, following nothing, telling nothing. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { AxiosError, AxiosInstance, AxiosResponse } from 'axios';
import { once } from '../core/once.js';
import { type Exchange, parseJson, type Witness, watch } from './exchange.js';
import { GatewayError, type GatewayFault } from './gateway-error.js';

export interface Answer {
  readonly status: number;
  readonly json: unknown;
}

export interface Transport extends Disposable {
  /** Loads the HTTP client, which the first exchange does otherwise. */
  warmUp(): Promise<void>;
  /** Sends and reads one answer. Throws {@link GatewayError} only. */
  exchange(exchange: Exchange): Promise<Answer>;
}

/** Enough for any answer of the contract, decoded. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Speaks to the service with this key. Certificates are always checked; TLS 1.2 is the least (section 5). A witness
 * sees each exchange as it was, also an answer that is then refused.
 */
export function createTransport(apiKey: string, witness?: Witness): Transport {
  const tls = { minVersion: 'TLSv1.2', rejectUnauthorized: true } as const;
  const kept = {
    http: new HttpAgent({ keepAlive: true }),
    https: new HttpsAgent({ keepAlive: true, ...tls }),
  };
  const fresh = {
    http: new HttpAgent({ keepAlive: false }),
    https: new HttpsAgent({ keepAlive: false, ...tls }),
  };
  const openedClient = once(() => openClient(apiKey));
  return {
    async warmUp() {
      await openedClient();
    },
    async exchange(exchange) {
      const agents = exchange.freshConnection ? fresh : kept;
      const { idempotency } = exchange;
      const client = await openedClient().catch(() => {
        throw new GatewayError({ call: exchange.call, code: 'unreachable', reason: 'no_client' });
      });
      const tell = watch(exchange, witness);
      // axios' own timeout counts idle time only: the signal is what ends a slow drip.
      const response = await client
        .request<Buffer>({
          method: exchange.method,
          url: exchange.url,
          data: exchange.body,
          headers: { ...exchange.headers, ...(idempotency && { [idempotency.header]: idempotency.key }) },
          httpAgent: agents.http,
          httpsAgent: agents.https,
          timeout: exchange.deadlineMs,
          signal: AbortSignal.timeout(exchange.deadlineMs),
        })
        .catch((error: unknown) => {
          const fault = sortTransportError(error);
          tell({ fault });
          throw new GatewayError({ call: exchange.call, ...fault });
        });
      tell({ answer: { status: response.status, headers: response.headers, bytes: response.data } });
      return readAnswer(exchange, response);
    },
    [Symbol.dispose]() {
      for (const agent of [kept.http, kept.https, fresh.http, fresh.https]) agent.destroy();
    },
  };
}

/**
 * Takes every answer as bytes, whatever its status, and follows none. Its modules are a tenth of all that the shop has:
 * the first page does not wait for them.
 */
async function openClient(apiKey: string): Promise<AxiosInstance> {
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
    maxContentLength: MAX_ANSWER_BYTES,
    maxBodyLength: 1024 * 1024,
    proxy: false,
    validateStatus: null,
    transformRequest: [(body: unknown) => body],
  });
}

const NOT_TRUSTED = /^(?:ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_INVALID_CHAR)/;

function isAxiosError(error: unknown): error is AxiosError {
  return error instanceof Error && 'isAxiosError' in error && error.isAxiosError === true;
}

function sortTransportError(error: unknown): Pick<GatewayFault, 'code' | 'reason'> {
  if (!isAxiosError(error)) return { code: 'connection_lost', reason: 'unknown' };
  const reason = error.code ?? 'unknown';
  if (NOT_TRUSTED.test(reason) || failedToConnect(error)) return { code: 'unreachable', reason };
  if (/^(?:ERR_CANCELED|ECONNABORTED|ETIMEDOUT)$/.test(reason)) return { code: 'timeout', reason };
  // With an answer's head but not its end, the connection broke; without, axios itself gave the answer up.
  if (reason === 'ERR_BAD_RESPONSE' && error.response) return { code: 'connection_lost', reason };
  if (/^(?:ERR_BAD_RESPONSE|ERR_FR_|Z_|ERR__ERROR_FORMAT)/.test(reason))
    return { code: 'bad_answer', reason };
  return { code: 'connection_lost', reason };
}

/**
 * Whether no connection came about, so that no byte of ours can have arrived. A code such as `EHOSTUNREACH` alone
 * proves nothing: it also ends connections that had long been in use.
 */
function failedToConnect(error: AxiosError): boolean {
  const cause = error.cause as (NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }) | undefined;
  const failures = cause?.errors ?? [cause];
  if (failures.every((failure) => /^(?:connect|getaddrinfo)$/.test(failure?.syscall ?? ''))) return true;
  const { socket } = (error.request ?? {}) as { socket?: { secureConnecting?: boolean } };
  return socket?.secureConnecting === true;
}

function readAnswer(exchange: Exchange, response: AxiosResponse<Buffer>): Answer {
  const { status } = response;
  const wanted = (status >= 200 && status < 300) || exchange.accept?.includes(status);
  if (!wanted) throw new GatewayError({ call: exchange.call, status, ...sortStatus(response) });
  try {
    return { status, json: parseJson(response.data) };
  } catch {
    throw new GatewayError({ call: exchange.call, code: 'bad_answer', status, reason: 'not_json' });
  }
}

function sortStatus(response: AxiosResponse<Buffer>): Pick<GatewayFault, 'code' | 'retryAfterMs'> {
  const { status } = response;
  if (status === 401 || status === 403) return { code: 'unauthorized' };
  if (status === 404) return { code: 'not_found' };
  if (status === 429) return { code: 'rate_limited', retryAfterMs: readRetryAfter(response) };
  // 408 and 409 are also the words of a server or proxy that was busy with the request: they refuse nothing.
  if (status >= 500 || status === 408 || status === 409) return { code: 'server_error' };
  return { code: status >= 400 ? 'refused' : 'bad_answer' };
}

const DEFAULT_RETRY_AFTER_S = 1;
const LONGEST_RETRY_AFTER_S = 600;

/** Seconds from the header, else from the body's `retry_after`; a missing or absurd value is bounded. */
function readRetryAfter(response: AxiosResponse<Buffer>): number {
  const header = Number(response.headers['retry-after'] ?? Number.NaN);
  const seconds = Number.isFinite(header) ? header : readRetryAfterBody(response.data);
  return Math.min(Math.max(seconds, DEFAULT_RETRY_AFTER_S), LONGEST_RETRY_AFTER_S) * 1000;
}

function readRetryAfterBody(bytes: Buffer): number {
  try {
    const body = parseJson(bytes) as { error?: { retry_after?: unknown } };
    const seconds = body.error?.retry_after;
    return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds : DEFAULT_RETRY_AFTER_S;
  } catch {
    return DEFAULT_RETRY_AFTER_S;
  }
}
