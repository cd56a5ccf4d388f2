/** The hosted checkout calls (interface.md sections 4.3 and 4.4). */

import { CURRENCY } from '../core/money.js';
import type { Evidence } from '../core/payment.js';
import { safeRedirect } from '../core/redirect.js';
import type { Connection, GatewaySettings } from './connection.js';
import { GatewayError } from './gateway-error.js';
import { parseSession, type SessionAnswer, type SessionRequest, toSessionBody } from './session-wire.js';

/** A session that may be handed out, or one that may not although the service opened it. */
export type StartedSession =
  | { readonly kind: 'open'; readonly id: string; readonly url: string }
  | { readonly kind: 'unusable'; readonly id: string; readonly fault: 'mismatch' | 'unsafe_url' };

/** See {@link Gateway.startSession}. */
export async function startSession(
  connection: Connection,
  request: SessionRequest,
  now: number,
): Promise<StartedSession> {
  const { settings, transport, checkout, deadlines } = connection;
  const call = 'create-session';
  const body = JSON.stringify(toSessionBody(request, now));
  const answer = await checkout.run(
    { call, deadlineMs: deadlines.createSession, retries: true },
    (deadlineMs) =>
      transport.exchange({
        call,
        method: 'POST',
        url: `${settings.checkoutApiUrl}/checkout/v1/sessions`,
        body,
        idempotency: { header: 'x-idempotency-key', key: request.idempotencyKey },
        deadlineMs,
      }),
  );
  const session = answer.status === 201 ? parseSession(answer.json) : undefined;
  if (!session) throw new GatewayError({ call, code: 'bad_answer', status: answer.status });
  return acceptSession(session, request, settings);
}

/** See {@link Gateway.readSession}. */
export async function readSession(connection: Connection, id: string): Promise<Evidence> {
  const { settings, transport, checkout, deadlines } = connection;
  const call = 'read-session';
  const url = `${settings.checkoutApiUrl}/checkout/v1/sessions/${encodeURIComponent(id)}`;
  const answer = await checkout.run({ call, deadlineMs: deadlines.read, retries: true }, (deadlineMs) =>
    transport.exchange({ call, method: 'GET', url, id, deadlineMs }),
  );
  const session = parseSession(answer.json);
  if (!session) throw new GatewayError({ call, code: 'bad_answer', reason: 'shape' });
  return session.evidence;
}

function acceptSession(
  session: SessionAnswer,
  request: SessionRequest,
  settings: GatewaySettings,
): StartedSession {
  const { evidence } = session;
  const id = evidence.id ?? '';
  const asAsked =
    evidence.reading === 'pending' &&
    evidence.amount === request.amount &&
    evidence.currency === CURRENCY &&
    evidence.reference === request.reference;
  if (!asAsked) return { kind: 'unusable', id, fault: 'mismatch' };
  const url = safeRedirect(session.url ?? '', {
    origins: settings.pageOrigins,
    allowLoopbackHttp: settings.allowLoopbackHttp,
  });
  return url ? { kind: 'open', id, url } : { kind: 'unusable', id, fault: 'unsafe_url' };
}
