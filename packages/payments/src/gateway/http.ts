/** Sends one HTTP request to the gateway, bounded in time and size. Exposes no secret. */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import type { Readable } from 'node:stream';
import type { AxiosInstance } from 'axios';
import { parseUrl } from '../rules/parse-url.js';
import { CALLS, GatewayError, type GatewayErrorFields } from './errors.js';
import {
  type GatewayResponse,
  MAX_RESPONSE_BYTES,
  type RawResponse,
  type ResponseRules,
  readResponse,
} from './read-response.js';

export interface GatewayRequest extends ResponseRules {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Already serialized, so that what is signed is what is sent. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const unchanged = (data: unknown) => data;

/** Imported with the first call, because no page needs axios before it. */
async function createAxios(apiKey: string): Promise<AxiosInstance> {
  const { default: axios } = await import('axios');
  return axios.create({
    adapter: 'http',
    proxy: false,
    // `send` follows the one redirect that is allowed.
    maxRedirects: 0,
    validateStatus: null,
    transformRequest: unchanged,
    transformResponse: unchanged,
    responseType: 'stream',
    // `readResponse` decodes, so that the size limit holds after decoding.
    decompress: false,
    // Every call is JSON (section 5), also one without a body.
    headers: {
      Authorization: `Token ${apiKey}`,
      Accept: 'application/json',
      'Accept-Encoding': 'identity',
      'Content-Type': 'application/json',
      'User-Agent': 'tianguis',
    },
  });
}

/** Creates a client that authenticates with the key. Verifies certificates and requires TLS 1.2 (section 5). */
export function createHttpClient(apiKey: string) {
  const agents = (keepAlive: boolean) => ({
    httpAgent: new HttpAgent({ keepAlive }),
    httpsAgent: new HttpsAgent({ keepAlive, minVersion: 'TLSv1.2', rejectUnauthorized: true }),
  });
  const reused = agents(true);
  const unshared = agents(false);
  let created: Promise<AxiosInstance> | undefined;
  return {
    /** Sends a request and reads its response. A GET follows one redirect. Throws {@link GatewayError} only. */
    async send(request: AddressedRequest): Promise<GatewayResponse> {
      const { call, deadlineMs } = request;
      const options = { ...(CALLS[call].retries ? reused : unshared), signal: AbortSignal.timeout(deadlineMs) };
      created ??= createAxios(apiKey);
      const axios = await created;
      const raw = await exchange(axios, request, options);
      const target = redirectTarget(request, raw);
      return readResponse(request, target ? await exchange(axios, { ...request, url: target }, options) : raw);
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

interface ExchangeOptions {
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
  readonly signal: AbortSignal;
}

/** Sends the request and reads the whole response before the signal aborts. */
async function exchange(
  axios: AxiosInstance,
  { call, method, url, headers, body }: AddressedRequest,
  options: ExchangeOptions,
): Promise<RawResponse> {
  let outgoing: ClientRequest | undefined;
  const transport = {
    request(target: RequestOptions, onResponse: OnResponse) {
      outgoing = sendOver(target, onResponse);
      return outgoing;
    },
  };
  try {
    const config = { method, url, headers, data: body, transport, ...options };
    const response = await axios.request<Readable>(config);
    const header = (name: string) => response.headers[name]?.toString();
    return { status: response.status, header, body: await readAll(response.data) };
  } catch (error) {
    // The error of axios holds the key and stays here.
    throw new GatewayError({ call, ...classifyError(error, outgoing, options.signal.aborted) });
  }
}

type OnResponse = (response: IncomingMessage) => void;

/** A connection that is upgraded to another protocol closes without an error. The request then gets one. */
function sendOver(target: RequestOptions, onResponse: OnResponse): ClientRequest {
  const isSecure = target.protocol === 'https:';
  const outgoing = isSecure ? httpsRequest(target, onResponse) : httpRequest(target, onResponse);
  let hasResponse = false;
  outgoing.once('response', () => {
    hasResponse = true;
  });
  outgoing.once('close', () => {
    if (!hasResponse) outgoing.emit('error', new Error('closed without a response'));
  });
  return outgoing;
}

/** Returns `undefined`, and closes the connection, if the body is larger than `MAX_RESPONSE_BYTES`. */
async function readAll(body: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const REDIRECTS = [301, 302, 307, 308];

/** Returns the address of a redirect that is followed: of a GET, to the origin that already has the key. */
function redirectTarget({ method, url }: AddressedRequest, { status, header }: RawResponse): string | undefined {
  const location = header('location');
  if (method !== 'GET' || !REDIRECTS.includes(status) || !location) return undefined;
  const target = parseUrl(location, url);
  if (!target) return undefined;
  const isSafe = target.origin === new URL(url).origin && target.username + target.password === '';
  return isSafe ? target.href : undefined;
}

const CERTIFICATE_ERROR = /^(?:ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_INVALID_CHAR)/;

/** Unknown errors count as lost connections, after which the gateway may have acted. The code of axios proves nothing. */
function classifyError(
  error: unknown,
  outgoing: ClientRequest | undefined,
  isLate: boolean,
): Pick<GatewayErrorFields, 'code' | 'reason' | 'isReused'> {
  // axios wraps the error of Node.
  const fault = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { code: reason = 'unknown' } = fault as NodeJS.ErrnoException;
  if (isHandshaking(outgoing?.socket) || CERTIFICATE_ERROR.test(reason) || failedToConnect(fault))
    return { code: 'unreachable', reason };
  if (isLate) return { code: 'timeout', reason };
  return { code: 'connection_lost', reason, isReused: outgoing?.reusedSocket };
}

/** The request is sent after the TLS handshake. */
function isHandshaking(socket: object | null | undefined): boolean {
  return !!socket && 'secureConnecting' in socket && socket.secureConnecting === true;
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
