import type { Evidence } from '../core/payment.js';
import { accessToken, type ProcessedPayment, processPayment, readTransaction } from './card-payments.js';
import { type GatewaySettings, openConnection } from './connection.js';
import { type GatewayCall, GatewayError, type GatewayErrorCode } from './gateway-error.js';
import { readSession, type StartedSession, startSession } from './hosted-sessions.js';
import type { PaymentRequest } from './payment-wire.js';
import type { SessionRequest } from './session-wire.js';

/** The payment service. Every method but `processPayment` throws {@link GatewayError} and nothing else. */
export interface Gateway extends Disposable {
  /** Loads what the first call needs, so that no shopper waits for it. Asks the service nothing. */
  warmUp(): Promise<void>;
  /** Opens a hosted checkout session (section 4.3). Retries: a session whose answer was lost is seen by nobody. */
  startSession(request: SessionRequest, now: number): Promise<StartedSession>;
  /** What the service says about a session (section 4.4). */
  readSession(id: string): Promise<Evidence>;
  /** Sends one card payment, once (section 4.1). */
  processPayment(request: PaymentRequest): Promise<ProcessedPayment>;
  /** What the service says about a card payment (section 4.2). */
  readTransaction(id: string): Promise<Evidence>;
  /** A short-lived token with which a browser may reach the vault (public material, docs/service-gaps.md). */
  accessToken(): Promise<string>;
}

/** Connects to the service; disposing of it closes idle connections. */
export function createGateway(settings: GatewaySettings): Gateway {
  const connection = openConnection(settings);
  const timed = stopwatch(settings);
  return {
    warmUp: () => connection.transport.warmUp(),
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

/** Tells how each call went, without changing how it goes. */
function stopwatch({ onCall }: GatewaySettings): <T>(call: GatewayCall, work: Promise<T>) => Promise<T> {
  return (call, work) => {
    if (!onCall) return work;
    const startedAt = performance.now();
    const tell = (fault: unknown) => onCall(call, performance.now() - startedAt, codeOf(fault));
    work.then(tell, tell);
    return work;
  };
}

/** The fault that was thrown, or that an answer brings as a value. */
function codeOf(outcome: unknown): GatewayErrorCode | undefined {
  if (outcome instanceof GatewayError) return outcome.code;
  const { error } = (outcome ?? {}) as { readonly error?: unknown };
  return error instanceof GatewayError ? error.code : undefined;
}
