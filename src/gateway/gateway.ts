import type { GatewayPayment } from '../domain/payment.js';
import {
  accessToken,
  type PaymentRequest,
  type ProcessedPayment,
  processPayment,
  readTransaction,
} from './card-payments.js';
import { type GatewaySettings, openConnection } from './connection.js';
import { type GatewayCall, GatewayError, type GatewayErrorCode } from './errors.js';
import { readSession, type SessionRequest, type StartedSession, startSession } from './hosted-sessions.js';

/**
 * The client of the payment gateway. Section numbers are those of the gateway's interface.
 * Each call ends before its deadline, retries included. A call throws {@link GatewayError} and nothing else; the
 * exceptions are documented at the method.
 */
export interface Gateway extends Disposable {
  /** Loads the HTTP client, which the first call does otherwise. Sends no request. */
  warmUp(): Promise<void>;
  /**
   * Creates a checkout session (section 4.3). Retries with the same idempotency key, because an unused session charges
   * no money. Throws a `RangeError` when `expiresAt` lies outside the gateway's window (section 8).
   */
  startSession(request: SessionRequest, now: number): Promise<StartedSession>;
  /** Reads a checkout session (section 4.4). Retries. */
  readSession(id: string): Promise<GatewayPayment>;
  /**
   * Sends one card payment (section 4.1). Never retries, because the first request may have charged the card. Returns
   * a failure as a value and throws no {@link GatewayError}.
   */
  processPayment(request: PaymentRequest): Promise<ProcessedPayment>;
  /** Reads a card payment (section 4.2). Retries. */
  readTransaction(id: string): Promise<GatewayPayment>;
  /** Returns a short-lived token with which a browser may call the tokenizer (docs/gateway-interface.md). Retries. */
  accessToken(): Promise<string>;
}

/** Creates a client; disposing of it closes its idle connections. */
export function createGateway(settings: GatewaySettings): Gateway {
  const connection = openConnection(settings);
  const timed = stopwatch(settings);
  return {
    warmUp: () => connection.warmUp(),
    startSession: (request, now) => timed('create-session', startSession(connection, request, now)),
    readSession: (id) => timed('read-session', readSession(connection, id)),
    processPayment: (request) => timed('process-payment', processPayment(connection, request)),
    readTransaction: (id) => timed('read-transaction', readTransaction(connection, id)),
    accessToken: () => timed('access-token', accessToken(connection)),
    [Symbol.dispose]() {
      connection[Symbol.dispose]();
    },
  };
}

/** Reports each call to `onCall` and passes its outcome on unchanged. */
function stopwatch({ onCall }: GatewaySettings): <T>(call: GatewayCall, work: Promise<T>) => Promise<T> {
  return (call, work) => {
    if (!onCall) return work;
    const startedAt = performance.now();
    const report = (outcome: unknown) => onCall(call, performance.now() - startedAt, codeOf(outcome));
    work.then(report, report);
    return work;
  };
}

/** The code of an error that was thrown or returned. */
function codeOf(outcome: unknown): GatewayErrorCode | undefined {
  if (outcome instanceof GatewayError) return outcome.code;
  const { error } = (outcome ?? {}) as { readonly error?: unknown };
  return error instanceof GatewayError ? error.code : undefined;
}
