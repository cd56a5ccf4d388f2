/** HTTP client of the gateway that shares no code with the shop's client. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Signing, signedBody } from './signature.js';
import type { Target } from './target.js';

export interface Seen {
  readonly status: number;
  /** The media type without parameters. */
  readonly contentType: string;
  /** `undefined` if the body is not JSON. */
  readonly json: unknown;
}

/** The complete Authorization header. `undefined` sends no header. */
export type Authorization = string | undefined;

export interface Service {
  readonly target: Target;
  readonly ours: Authorization;
  createSession(body: unknown, authorization?: Authorization): Promise<Seen>;
  readSession(id: string, authorization?: Authorization): Promise<Seen>;
  process(body: unknown, authorization?: Authorization): Promise<Seen>;
  readTransaction(id: string, authorization?: Authorization): Promise<Seen>;
  accessToken(authorization?: Authorization): Promise<Seen>;
  tokenize(accessToken: string, card: unknown): Promise<Seen>;
}

/** Creates the client. Its methods resolve with any status and reject only without a response. */
export function gatewayAt(target: Target): Service {
  const { baseUrl, checkoutApiUrl, tokenizerUrl = '' } = target;
  const ours = `Token ${target.apiKey}`;
  const sessions = `${checkoutApiUrl}/checkout/v1/sessions`;
  const post = (url: string, headers: Headers, body?: unknown) =>
    send(url, { method: 'POST', headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const get = (url: string, headers: Headers) => send(url, { method: 'GET', headers });
  return {
    target,
    ours,
    createSession: (body, ...given) => post(sessions, headersFor(ours, given), body),
    readSession: (id, ...given) => get(`${sessions}/${encodeURIComponent(id)}`, headersFor(ours, given)),
    process: (body, ...given) => {
      const headers = headersFor(ours, given);
      return send(`${baseUrl}/api/v1/process/`, paymentRequest(body, headers, target.signing));
    },
    readTransaction: (id, ...given) =>
      get(`${baseUrl}/api/v1/transactions/${encodeURIComponent(id)}/`, headersFor(ours, given)),
    accessToken: (...given) => post(`${baseUrl}/api/v1/tokenization/auth/`, headersFor(ours, given)),
    tokenize: (token, card) => {
      const headers = new Headers({ 'Content-Type': 'application/json', 'X-Skyflow-Authorization': token });
      return post(tokenizerUrl, headers, card);
    },
  };
}

function paymentRequest(body: unknown, headers: Headers, signing: Signing | undefined): RequestInit {
  if (!signing) return { method: 'POST', headers, body: JSON.stringify(body) };
  const signed = signedBody(body, signing);
  headers.set('X-Signature-Transaction', signed.signature);
  return { method: 'POST', headers, body: signed.body };
}

/** Distinguishes an explicit `undefined`, which sends no header, from a missing argument, which sends our key. */
function headersFor(ours: Authorization, given: readonly Authorization[]): Headers {
  const authorization = given.length > 0 ? given[0] : ours;
  const headers = new Headers({ Accept: 'application/json', 'Content-Type': 'application/json' });
  if (authorization !== undefined) headers.set('Authorization', authorization);
  return headers;
}

const ANSWER_MS = 30_000;
const TRIES = 3;
const LONGEST_WAIT_S = 60;

async function send(url: string, init: RequestInit): Promise<Seen> {
  for (let left = TRIES; ; left -= 1) {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await response.text();
    if (response.status !== 429 || left === 1) return seen(response, text);
    // The interface names no rate limit, so a 429 is retried and is not a difference.
    await delay(1000 * Math.min(Number(response.headers.get('retry-after') ?? 1), LONGEST_WAIT_S));
  }
}

function seen(response: Response, text: string): Seen {
  const [contentType = ''] = (response.headers.get('content-type') ?? '').split(';');
  return { status: response.status, contentType, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
