/** What the calls of the unified endpoint `POST /api/v1/process/` share (docs/gateway-interface.md section 4.1). */
import { type Centavos, fromPesosText } from '../domain/money.js';
import type { GatewaySettings } from './connection.js';
import { canonicalJson, signBody } from './signature.js';

/** Returns a request that is sent once and on a new connection, because the first request may have moved money. */
export function processRequest(
  { signingText = 'ascii', signingSecret }: GatewaySettings,
  idempotencyKey: string,
  content: Readonly<Record<string, unknown>>,
) {
  const body = canonicalJson(content, signingText);
  const signature = signingSecret && signBody(signingSecret, body);
  return {
    method: 'POST',
    path: '/api/v1/process/',
    body,
    headers: {
      'X-Request-Id': idempotencyKey,
      ...(signature && { 'X-Signature-Transaction': signature }),
    },
    retries: false,
    newConnection: true,
  } as const;
}

/** The gateway sends amounts as numbers or as decimal text; the shortest text of a number has its exact digits. */
export function readPesos(value: unknown): Centavos | undefined {
  if (typeof value === 'string') return fromPesosText(value);
  return typeof value === 'number' ? fromPesosText(String(value)) : undefined;
}
