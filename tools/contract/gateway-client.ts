/** HTTP client of the gateway that shares no code with the shop's client. */
import { createHmac } from 'node:crypto';
import type { Target } from './target.js';

export interface Answer {
  readonly status: number;
  /** The media type without parameters. */
  readonly contentType: string;
  /** `undefined` if the body is not JSON. */
  readonly json: unknown;
}

export type Headers = Readonly<Record<string, string>>;

export type GatewayClient = ReturnType<typeof createGatewayClient>;

/** Creates the client. Its methods resolve with any status and reject only without a response. */
export function createGatewayClient(target: Target) {
  const { PAYMENTS_SIGNING_SECRET: secret, TOKENIZER_URL: tokenizerUrl = '' } = target;
  const sessionsUrl = `${target.CHECKOUT_API_URL}/checkout/v1/sessions`;
  const apiUrl = `${target.PAYMENTS_BASE_URL}/api/v1`;
  const ourKey: Headers = { Authorization: `Token ${target.PAYMENTS_API_KEY}` };
  return {
    target,
    createSession: (request: object, headers = ourKey) => send('POST', sessionsUrl, headers, JSON.stringify(request)),
    readSession: (id: string, headers = ourKey) => send('GET', `${sessionsUrl}/${encodeURIComponent(id)}`, headers),
    process(request: object, headers = ourKey) {
      const body = canonicalJson(request, target.PAYMENTS_SIGNING_TEXT);
      const signature = secret && {
        'X-Signature-Transaction': createHmac('sha256', secret).update(body).digest('base64'),
      };
      return send('POST', `${apiUrl}/process/`, { ...headers, ...signature }, body);
    },
    readTransaction: (id: string, headers = ourKey) =>
      send('GET', `${apiUrl}/transactions/${encodeURIComponent(id)}/`, headers),
    requestAccessToken: (headers = ourKey) => send('POST', `${apiUrl}/tokenization/auth/`, headers),
    tokenize: (accessToken: string, card: object) =>
      send('POST', tokenizerUrl, { 'X-Skyflow-Authorization': accessToken }, JSON.stringify(card)),
  };
}

const TIMEOUT_MS = 30_000;

async function send(method: 'GET' | 'POST', url: string, headers: Headers, body?: string): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const [contentType = ''] = (response.headers.get('content-type') ?? '').split(';');
  return { status: response.status, contentType, json: await response.json().catch(() => undefined) };
}

/** Returns the JSON text that a signature covers: keys sorted, no whitespace, `ascii` with other characters escaped. */
function canonicalJson(request: object, text: 'ascii' | 'utf8'): string {
  const json = JSON.stringify(request, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
      : value,
  );
  if (text === 'utf8') return json;
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
