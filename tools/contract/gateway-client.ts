/** Sends requests with the shop's headers, signature and HTTP client. The clauses judge the responses. */
import { randomUUID } from 'node:crypto';
import { GatewayError } from '../../src/gateway/errors.js';
import { createHttpClient } from '../../src/gateway/http.js';
import { processRequest } from '../../src/gateway/process-call.js';
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
    createSession: (body: object, headers?: Headers, address = CHECKOUT_API_URL) =>
      send({
        call: 'create-session',
        method: 'POST',
        url: `${address}/checkout/v1/sessions`,
        body: JSON.stringify(body),
        headers: { 'x-idempotency-key': randomUUID(), ...headers },
      }),
    readSession(id: string, headers?: Headers) {
      const url = `${CHECKOUT_API_URL}/checkout/v1/sessions/${encodeURIComponent(id)}`;
      return send({ call: 'read-session', method: 'GET', url, headers });
    },
    process(content: object, headers?: Headers) {
      // The copy has no members that are `undefined`.
      const request = processRequest(signing, randomUUID(), JSON.parse(JSON.stringify(content)));
      const url = `${PAYMENTS_BASE_URL}${request.path}`;
      return send({ ...request, call: 'process-payment', url, headers: { ...request.headers, ...headers } });
    },
    readTransaction(id: string, headers?: Headers) {
      const url = `${PAYMENTS_BASE_URL}/api/v1/transactions/${encodeURIComponent(id)}/`;
      return send({ call: 'read-transaction', method: 'GET', url, headers });
    },
    requestAccessToken(headers?: Headers) {
      const url = `${PAYMENTS_BASE_URL}/api/v1/tokenization/auth/`;
      return send({ call: 'access-token', method: 'POST', url, headers });
    },
    tokenize: (accessToken: string, card: object) => tokenize(TOKENIZER_URL, accessToken, card),
    [Symbol.dispose]: () => http[Symbol.dispose](),
  };
}

function answerWithoutJson(error: unknown): Answer {
  if (error instanceof GatewayError && error.reason === 'not_json' && error.status !== undefined)
    return { status: error.status, json: undefined };
  throw error;
}

/** Sends card data as the browser does, without the API key. */
async function tokenize(url: string, accessToken: string, card: object): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Skyflow-Authorization': accessToken },
    body: JSON.stringify(card),
    redirect: 'manual',
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  return { status: response.status, json: await response.json().catch(() => undefined) };
}
