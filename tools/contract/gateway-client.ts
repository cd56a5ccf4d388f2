/** HTTP client of the gateway that shares no code with the shop's client. */
import { createHmac } from 'node:crypto';
import type { Signing, Target } from './target.js';

export interface Answer {
  readonly status: number;
  /** The media type without parameters. */
  readonly contentType: string;
  /** `undefined` if the body is not JSON. */
  readonly json: unknown;
}

/** The complete header. `null` sends no header. */
export type Authorization = string | null;

export type GatewayClient = ReturnType<typeof createGatewayClient>;

/** Creates the client. Its methods resolve with any status and reject only without a response. */
export function createGatewayClient(target: Target) {
  const { baseUrl, checkoutApiUrl, tokenizerUrl = '', signing } = target;
  const ourKey = `Token ${target.apiKey}`;
  const sessionsUrl = `${checkoutApiUrl}/checkout/v1/sessions`;
  return {
    target,
    createSession: (request: object, authorization: Authorization = ourKey) =>
      send(sessionsUrl, { authorization, body: JSON.stringify(request) }),
    readSession: (id: string, authorization: Authorization = ourKey) =>
      send(`${sessionsUrl}/${encodeURIComponent(id)}`, { authorization, method: 'GET' }),
    process(request: object, authorization: Authorization = ourKey) {
      const url = `${baseUrl}/api/v1/process/`;
      if (!signing) return send(url, { authorization, body: JSON.stringify(request) });
      const { body, signature } = signBody(request, signing);
      return send(url, { authorization, body, headers: { 'X-Signature-Transaction': signature } });
    },
    readTransaction: (id: string, authorization: Authorization = ourKey) =>
      send(`${baseUrl}/api/v1/transactions/${encodeURIComponent(id)}/`, { authorization, method: 'GET' }),
    requestAccessToken: (authorization: Authorization = ourKey) =>
      send(`${baseUrl}/api/v1/tokenization/auth/`, { authorization }),
    tokenize: (accessToken: string, card: object) =>
      send(tokenizerUrl, {
        authorization: null,
        body: JSON.stringify(card),
        headers: { 'X-Skyflow-Authorization': accessToken },
      }),
  };
}

const TIMEOUT_MS = 30_000;

interface GatewayRequest {
  readonly authorization: Authorization;
  readonly method?: 'GET' | 'POST';
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(url: string, request: GatewayRequest): Promise<Answer> {
  const headers = new Headers({ ...request.headers, 'Content-Type': 'application/json' });
  if (request.authorization !== null) headers.set('Authorization', request.authorization);
  const { method = 'POST', body } = request;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method, headers, body, redirect: 'manual', signal });
  const [contentType = ''] = (response.headers.get('content-type') ?? '').split(';');
  return { status: response.status, contentType, json: parseJson(await response.text()) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the signature and the body that it covers: keys sorted, no whitespace. Send the body unchanged. */
function signBody(
  body: unknown,
  { secret, text }: Signing,
): { readonly body: string; readonly signature: string } {
  const utf8 = JSON.stringify(body, (_name, value: unknown) => sorted(value));
  const signed = text === 'ascii' ? utf8.replace(/[^ -~]/g, escaped) : utf8;
  return { body: signed, signature: createHmac('sha256', secret).update(signed).digest('base64') };
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
