/** The card payment calls (interface.md sections 4.1 and 4.2) and the tokenisation access call. */
import type { Evidence } from '../core/payment.js';
import { safeRedirect } from '../core/redirect.js';
import type { Connection, GatewaySettings } from './connection.js';
import { GatewayError, provesNothingHappened } from './gateway-error.js';
import { type PaymentRequest, parseAccessToken, parsePayment, toPaymentBody } from './payment-wire.js';
import { canonicalJson, signBody } from './signature.js';
import type { Answer } from './transport.js';

export type ProcessedPayment =
  /** The service has it under this id: the lookup decides. `bankUrl` leads to 3D Secure. */
  | { readonly kind: 'known'; readonly id: string; readonly bankUrl?: string; readonly words: string }
  /** Proven not to have been processed. */
  | { readonly kind: 'refused'; readonly error: GatewayError }
  /** Bytes left and no usable answer came back: only a webhook or a person can tell. */
  | { readonly kind: 'unknown'; readonly error: GatewayError };

/** See {@link Gateway.processPayment}. */
export async function processPayment(
  connection: Connection,
  request: PaymentRequest,
): Promise<ProcessedPayment> {
  try {
    return readProcessed(await sendPayment(connection, request), connection.settings);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { kind: provesNothingHappened(error) ? 'refused' : 'unknown', error };
  }
}

function sendPayment(connection: Connection, request: PaymentRequest): Promise<Answer> {
  const { settings, transport, payments, deadlines } = connection;
  const call = 'process-payment';
  const body = canonicalJson(toPaymentBody(request));
  const signature = settings.signingSecret && signBody(settings.signingSecret, body);
  return payments.run({ call, deadlineMs: deadlines.processPayment, retries: false }, (deadlineMs) =>
    transport.exchange({
      call,
      method: 'POST',
      url: `${settings.baseUrl}/api/v1/process/`,
      body,
      idempotency: { header: 'X-Request-Id', key: request.idempotencyKey },
      ...(signature && { headers: { 'X-Signature-Transaction': signature } }),
      deadlineMs,
      freshConnection: true,
      accept: [402],
    }),
  );
}

function readProcessed(answer: Answer, settings: GatewaySettings): ProcessedPayment {
  const payment = parsePayment(answer.json);
  if (!payment) return processedWithoutId(answer.status);
  const bankUrl =
    payment.bankUrl && safeRedirect(payment.bankUrl, { allowLoopbackHttp: settings.allowLoopbackHttp });
  const { id = '', words } = payment.evidence;
  return { kind: 'known', id, words, ...(bankUrl && { bankUrl }) };
}

/** A 402 that names no payment is a decline of one that leaves nothing to look up; any other answer proves nothing. */
function processedWithoutId(status: number): ProcessedPayment {
  const call = 'process-payment';
  return status === 402
    ? { kind: 'refused', error: new GatewayError({ call, code: 'refused', status }) }
    : { kind: 'unknown', error: new GatewayError({ call, code: 'bad_answer', status, reason: 'shape' }) };
}

/** See {@link Gateway.readTransaction}. */
export async function readTransaction(connection: Connection, id: string): Promise<Evidence> {
  const { settings, transport, payments, deadlines } = connection;
  const call = 'read-transaction';
  const url = `${settings.baseUrl}/api/v1/transactions/${encodeURIComponent(id)}/`;
  const answer = await payments.run({ call, deadlineMs: deadlines.read, retries: true }, (deadlineMs) =>
    transport.exchange({ call, method: 'GET', url, id, deadlineMs }),
  );
  const payment = parsePayment(answer.json);
  if (!payment) throw new GatewayError({ call, code: 'bad_answer', reason: 'shape' });
  return payment.evidence;
}

/** See {@link Gateway.accessToken}. */
export async function accessToken(connection: Connection): Promise<string> {
  const { settings, transport, payments, deadlines } = connection;
  const call = 'access-token';
  const url = `${settings.baseUrl}/api/v1/tokenization/auth/`;
  const answer = await payments.run(
    { call, deadlineMs: deadlines.accessToken, retries: true },
    (deadlineMs) => transport.exchange({ call, method: 'POST', url, deadlineMs }),
  );
  const token = parseAccessToken(answer.json);
  if (!token) throw new GatewayError({ call, code: 'bad_answer', reason: 'shape' });
  return token;
}
