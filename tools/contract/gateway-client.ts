/** Sends requests with the shop's headers, signature and HTTP client. The clauses judge the responses. */
import { randomUUID } from 'node:crypto';
import { GatewayError } from '../../packages/payments/src/gateway/errors.js';
import { createHttpClient } from '../../packages/payments/src/gateway/http.js';
import { signRequest } from '../../packages/payments/src/gateway/sign-request.js';
import type { Target } from './target.js';

export interface Answer {
  readonly status: number;
  /** `undefined` if the body is not JSON. */
  readonly json: unknown;
}

export type Headers = Readonly<Record<string, string>>;

export type GatewayClient = ReturnType<typeof createGatewayClient>;

const DEADLINE_MS = 30_000;

/** Creates the client. Its methods resolve with any status and reject only without a response. */
export function createGatewayClient(target: Target) {
  const { CHECKOUT_API_URL, PAYMENTS_BASE_URL, TOKENIZER_URL = '' } = target;
  const http = createHttpClient(target.PAYMENTS_API_KEY);
  const signing = { signingSecret: target.PAYMENTS_SIGNING_SECRET, signingText: target.PAYMENTS_SIGNING_TEXT };
  const send = (request: Pick<Parameters<typeof http.send>[0], 'call' | 'method' | 'url' | 'body' | 'headers'>) =>
    http.send({ ...request, path: '', deadlineMs: DEADLINE_MS, accepts: () => true }).catch(answerWithoutJson);
  return {
    target,
    createSession: (body: object, address = CHECKOUT_API_URL) =>
      send({
        call: 'create-session',
        method: 'POST',
        url: `${address}/checkout/v1/sessions`,
        body: JSON.stringify(body),
        headers: { 'x-idempotency-key': randomUUID() },
      }),
    readSession(id: string) {
      const url = `${CHECKOUT_API_URL}/checkout/v1/sessions/${encodeURIComponent(id)}`;
      return send({ call: 'read-session', method: 'GET', url });
    },
    process(content: object) {
      // The copy has no members that are `undefined`.
      const request = signRequest(signing, randomUUID(), JSON.parse(JSON.stringify(content)));
      const url = `${PAYMENTS_BASE_URL}${request.path}`;
      return send({ ...request, call: 'process-payment', url });
    },
    readTransaction(id: string) {
      const url = `${PAYMENTS_BASE_URL}/api/v1/transactions/${encodeURIComponent(id)}/`;
      return send({ call: 'read-transaction', method: 'GET', url });
    },
    requestAccessToken(headers?: Headers) {
      const url = `${PAYMENTS_BASE_URL}/api/v1/tokenization/auth/`;
      return send({ call: 'access-token', method: 'POST', url, headers });
    },
    /** Sends card data as the browser does, without the API key. */
    tokenize: (accessToken: string, card: object) =>
      sendBare(TOKENIZER_URL, card, { 'X-Skyflow-Authorization': accessToken }),
    /** Sends a request to a path of one of the two addresses with these headers only. Without a body it is a GET. */
    sendBare: (server: 'PAYMENTS_BASE_URL' | 'CHECKOUT_API_URL', path: string, body?: object, headers?: Headers) =>
      sendBare(`${target[server]}${path}`, body, headers),
    [Symbol.dispose]: () => http[Symbol.dispose](),
  };
}

function answerWithoutJson(error: unknown): Answer {
  if (error instanceof GatewayError && error.reason === 'not_json' && error.status !== undefined)
    return { status: error.status, json: undefined };
  throw error;
}

async function sendBare(url: string, body: object | undefined, headers: Headers = {}): Promise<Answer> {
  const response = await fetch(url, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'Content-Type': 'application/json', ...headers },
    redirect: 'manual',
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  return { status: response.status, json: await response.json().catch(() => undefined) };
}
