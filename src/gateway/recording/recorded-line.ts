import { type Outcome, parseJson, type SeenExchange } from '../exchange.js';
import type { GatewayCall } from '../gateway-error.js';
import { blot, type Discretion, personalWords, pseudonymOf } from './discretion.js';
import { HEADERS } from './harmless.js';
import { redactJson } from './redact-json.js';
import { redactText } from './redact-text.js';

/** Grows when a reader of older lines would misread newer ones. */
const VERSION = 1;

const PATHS: Readonly<Record<GatewayCall, string>> = {
  'create-session': '/checkout/v1/sessions',
  'read-session': '/checkout/v1/sessions/{id}',
  'process-payment': '/api/v1/process/',
  'read-transaction': '/api/v1/transactions/{id}/',
  'access-token': '/api/v1/tokenization/auth/',
};

/** One exchange as one line of a recording, with its line break; docs/running.md has its members. */
export function recordedLine(seen: SeenExchange, everywhere: Omit<Discretion, 'personal'>): string {
  const { exchange, at, ms, outcome } = seen;
  const body = exchange.body === undefined ? undefined : JSON.parse(exchange.body);
  const discretion = { ...everywhere, personal: personalWords(body) };
  const { call, method, id, idempotency } = exchange;
  const line = {
    v: VERSION,
    at: new Date(at).toISOString(),
    call,
    ms,
    request: {
      method,
      path: PATHS[call],
      ...(id !== undefined && { id: pseudonymOf(id, discretion) }),
      ...(idempotency && { key: pseudonymOf(idempotency.key, discretion) }),
      ...(body !== undefined && { body: redactJson(body, discretion) }),
    },
    ...redactOutcome(outcome, discretion),
  };
  return `${JSON.stringify(line)}\n`;
}

function redactOutcome(outcome: Outcome, discretion: Discretion) {
  if ('fault' in outcome) return outcome;
  const { status, headers, bytes } = outcome.answer;
  return {
    answer: {
      status,
      headers: redactHeaders(headers),
      bytes: bytes.length,
      ...redactBody(bytes, discretion),
    },
  };
}

function redactHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, isHarmless] of Object.entries(HEADERS)) {
    const value = headers[name];
    if (typeof value === 'string') kept[name] = isHarmless(value) ? value : blot(value);
  }
  return kept;
}

function redactBody(bytes: Uint8Array, discretion: Discretion): { json: unknown } | { text: string } {
  const json = readJson(bytes);
  if (json) return { json: redactJson(json.value, discretion) };
  return { text: redactText(new TextDecoder().decode(bytes), discretion.secrets) };
}

function readJson(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(bytes) };
  } catch {
    return undefined;
  }
}
