/** Reads a response of the gateway: its encoding, its JSON, and what its status means (docs/gateway-interface.md section 7). */
import { gunzipSync } from 'node:zlib';
import { type GatewayCall, GatewayError, type GatewayErrorCode } from './errors.js';

/** No response of the interface is larger than a few kB. The limit holds before and after decoding. */
export const MAX_RESPONSE_BYTES = 64 * 1024;

export interface RawResponse {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  /** Before decoding. `undefined` if it is larger than {@link MAX_RESPONSE_BYTES}. */
  readonly body: Buffer | undefined;
}

export interface ResponseRules {
  readonly call: GatewayCall;
  /** Returns whether a response outside 2xx is returned like any other. `json` is `undefined` if the body is not JSON. */
  readonly accepts?: (status: number, json: unknown) => boolean;
}

export interface GatewayResponse {
  readonly status: number;
  readonly json: unknown;
}

/** Returns the JSON of a response. Throws {@link GatewayError} for any other body and for a status that the call does not accept. */
export function readResponse({ call, accepts }: ResponseRules, { status, header, body }: RawResponse): GatewayResponse {
  const bytes = body && decode(body, header('content-encoding'));
  if (!bytes) throw new GatewayError({ call, code: 'bad_answer', status, reason: 'too_large' });
  const json = parseJson(bytes);
  const isSuccess = status >= 200 && status < 300;
  if (!isSuccess && !accepts?.(status, json)) {
    const code = codeOfStatus(status, call);
    const retryAfterMs = code === 'rate_limited' ? readRetryAfter(header('retry-after'), json) : undefined;
    throw new GatewayError({ call, status, code, retryAfterMs });
  }
  if (json === undefined) throw new GatewayError({ call, code: 'bad_answer', status, reason: 'not_json' });
  return { status, json };
}

/** An empty body is not JSON. */
const UNREADABLE = Buffer.alloc(0);

/** Decodes gzip, the only accepted encoding. Returns `undefined` if the result is larger than `MAX_RESPONSE_BYTES`. */
function decode(body: Buffer, encoding = 'identity'): Buffer | undefined {
  if (encoding === 'identity') return body;
  if (!/^(?:x-)?gzip$/i.test(encoding)) return UNREADABLE;
  try {
    return gunzipSync(body, { maxOutputLength: MAX_RESPONSE_BYTES });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? undefined : UNREADABLE;
  }
}

function codeOfStatus(status: number, call: GatewayCall): GatewayErrorCode {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  if (status === 409 && call === 'create-session') return 'conflict';
  // A server or proxy also answers 408 and 409 while it works on the request: they refuse nothing.
  if (status >= 500 || status === 408 || status === 409) return 'server_error';
  return status >= 400 ? 'refused' : 'bad_answer';
}

const MIN_RETRY_AFTER_S = 1;
const MAX_RETRY_AFTER_S = 600;

/** Milliseconds from the header `Retry-After`, else from the body's `retry_after`, else 1 s; at most 10 minutes. */
function readRetryAfter(header: string | undefined, json: unknown): number {
  const { error } = (json ?? {}) as { readonly error?: { readonly retry_after?: unknown } | null };
  const stated = [Number(header ?? Number.NaN), error?.retry_after].find(Number.isFinite);
  return Math.min(Math.max(Number(stated ?? 0), MIN_RETRY_AFTER_S), MAX_RETRY_AFTER_S) * 1000;
}

/** Returns `undefined` if the bytes are not JSON or not valid UTF-8. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
