/** Sends the requests of the interface. The clauses judge the responses. */
import { randomUUID } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import axios from 'axios';
import { canonicalJson, signatureOf } from './sign.js';
import type { Target } from './target.js';

export interface Answer {
  readonly status: number;
  /** `undefined` if the body is not JSON. */
  readonly json: unknown;
}

export type Headers = Readonly<Record<string, string>>;

export type GatewayClient = ReturnType<typeof createGatewayClient>;

const DEADLINE_MS = 30_000;
const MAX_RESPONSE_BYTES = 64 * 1024;

/** Creates the client. Its methods resolve with any status and reject only without a response. */
export function createGatewayClient(target: Target) {
  const { CHECKOUT_API_URL, PAYMENTS_BASE_URL, TOKENIZER_URL = '' } = target;
  const authorized: Headers = {
    Authorization: `Token ${target.PAYMENTS_API_KEY}`,
    Accept: 'application/json',
    'Accept-Encoding': 'identity',
    'User-Agent': 'tianguis',
  };
  const get = (url: string) => send({ method: 'GET', url, headers: authorized });
  const post = (url: string, headers: Headers = {}, body?: string) =>
    send({ method: 'POST', url, body, headers: { ...authorized, ...headers } });
  return {
    target,
    createSession: (body: object, address = CHECKOUT_API_URL) =>
      post(`${address}/checkout/v1/sessions`, { 'x-idempotency-key': randomUUID() }, JSON.stringify(body)),
    readSession: (id: string) => get(`${CHECKOUT_API_URL}/checkout/v1/sessions/${encodeURIComponent(id)}`),
    process(content: object) {
      const { PAYMENTS_SIGNING_SECRET: secret, PAYMENTS_SIGNING_TEXT: text } = target;
      const body = canonicalJson(content, text);
      const signature: Headers = secret ? { 'X-Signature-Transaction': signatureOf(body, secret) } : {};
      return post(`${PAYMENTS_BASE_URL}/api/v1/process/`, { 'X-Request-Id': randomUUID(), ...signature }, body);
    },
    readTransaction: (id: string) => get(`${PAYMENTS_BASE_URL}/api/v1/transactions/${encodeURIComponent(id)}/`),
    requestAccessToken: (headers?: Headers) => post(`${PAYMENTS_BASE_URL}/api/v1/tokenization/auth/`, headers),
    /** Sends card data as the browser does, without the API key. */
    tokenize: (accessToken: string, card: object) =>
      sendBare(TOKENIZER_URL, card, { 'X-Skyflow-Authorization': accessToken }),
    /** Sends a request to a path of one of the two addresses with these headers only. Without a body it is a GET. */
    sendBare: (server: 'PAYMENTS_BASE_URL' | 'CHECKOUT_API_URL', path: string, body?: object, headers?: Headers) =>
      sendBare(`${target[server]}${path}`, body, headers),
  };
}

function sendBare(url: string, body: object | undefined, headers: Headers = {}): Promise<Answer> {
  return send({ method: body ? 'POST' : 'GET', url, body: body && JSON.stringify(body), headers });
}

interface Outgoing {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Already serialized, so that what is signed is what is sent. */
  readonly body?: string | undefined;
  readonly headers: Headers;
}

const unchanged = (data: unknown) => data;

/** Each request has a connection of its own. TLS 1.2 is section 5 of the interface. */
const http = axios.create({
  adapter: 'http',
  proxy: false,
  maxRedirects: 0,
  validateStatus: null,
  transformRequest: unchanged,
  transformResponse: unchanged,
  responseType: 'text',
  maxContentLength: MAX_RESPONSE_BYTES,
  httpAgent: new HttpAgent(),
  httpsAgent: new HttpsAgent({ minVersion: 'TLSv1.2', rejectUnauthorized: true }),
});

/** Sends one request, and follows one redirect of a GET to its own origin. Every call is JSON, also one without a body. */
async function send({ method, url, body, headers }: Outgoing, canRedirect = method === 'GET'): Promise<Answer> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const options = { method, url, data: body, headers: { 'Content-Type': 'application/json', ...headers }, signal };
  const {
    status,
    data,
    headers: received,
  } = await http.request<string>(options).catch((error: unknown) => {
    // axios gives a timeout no name of its own.
    signal.throwIfAborted();
    throw error;
  });
  const location = canRedirect && [301, 302, 307, 308].includes(status) ? received['location'] : undefined;
  if (location !== undefined && URL.canParse(location, url)) {
    const next = new URL(location, url);
    if (next.origin === new URL(url).origin) return send({ method, url: next.href, headers }, false);
  }
  return { status, json: parseJson(data) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
