/** The real client before the real simulator, each test with its own pair. */

import { randomUUID } from 'node:crypto';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import { centavos } from '../../src/domain/money.js';
import type { PaymentRequest, ProcessedPayment } from '../../src/gateway/card-payments.js';
import type { GatewaySettings } from '../../src/gateway/connection.js';
import { GatewayError } from '../../src/gateway/errors.js';
import { createGateway, type Gateway } from '../../src/gateway/gateway.js';
import type { SessionRequest } from '../../src/gateway/hosted-sessions.js';
import type { Call } from '../../tools/simulator/faults.js';
import { type Profile, type Simulator, startSimulator } from '../../tools/simulator/simulator.js';

declare const simulatorProfile: Profile | undefined;

export const API_KEY = 'test_canary_key_that_must_never_be_seen';

/** Long enough for an honest answer, too short for a second try. */
const SHORT_MS = 600;
export const noRetries = {
  read: SHORT_MS,
  createSession: SHORT_MS,
  processPayment: SHORT_MS,
  accessToken: SHORT_MS,
} as const;
/** For tests in which nothing is late: a machine that stands still for a while spoils none of them. */
export const unhurried = {
  read: 20_000,
  createSession: 20_000,
  processPayment: 20_000,
  accessToken: 20_000,
} as const;
/** Long enough for all tries. */
export const patient = { read: 4000, createSession: 4000, processPayment: 4000, accessToken: 4000 } as const;

export interface Peer extends AsyncDisposable {
  readonly simulator: Simulator;
  readonly gateway: Gateway;
}

export async function openPeer(settings: Partial<GatewaySettings> = {}): Promise<Peer> {
  const profile = typeof simulatorProfile === 'undefined' ? 'interface' : simulatorProfile;
  const simulator = await startSimulator({ port: 0, apiKey: API_KEY, profile });
  const gateway = openGateway(simulator.url, settings);
  return {
    simulator,
    gateway,
    async [Symbol.asyncDispose]() {
      gateway[Symbol.dispose]();
      await simulator.close();
    },
  };
}

export function openGateway(url: string, settings: Partial<GatewaySettings> = {}): Gateway {
  return createGateway({
    baseUrl: url,
    checkoutApiUrl: url,
    apiKey: API_KEY,
    pageOrigins: [new URL(url).origin],
    allowLoopbackHttp: true,
    ...settings,
  });
}

export function sessionRequest(changes: Partial<SessionRequest> = {}): SessionRequest {
  return {
    idempotencyKey: randomUUID(),
    reference: 'TG-7KMX-2AFR',
    contact: { firstName: 'Eva', lastName: 'Ruiz Nava', email: 'eva@example.com' },
    lines: [
      { productId: 'taza', name: 'Taza', unitPrice: centavos(5000), quantity: 2 },
      { productId: 'jarra', name: 'Jarra “negra”', unitPrice: centavos(5000), quantity: 1 },
    ],
    amount: centavos(15_000),
    returnUrl: 'https://shop.example/checkout/return/abc',
    expiresAt: Date.now() + 60 * 60_000,
    ...changes,
  };
}

export function paymentRequest(
  { control }: Simulator,
  changes: Partial<PaymentRequest> & { card?: string } = {},
): PaymentRequest {
  const { card = '4000000000000077', ...rest } = changes;
  return {
    idempotencyKey: randomUUID(),
    reference: 'TG-7KMX-2AFR-2',
    orderNumber: 'TG-7KMX-2AFR',
    contact: { firstName: 'Eva', lastName: 'Ruiz Nava', email: 'eva@example.com' },
    amount: centavos(15_000),
    returnUrl: 'https://shop.example/checkout/return/abc',
    tokens: control.tokenizeCard(card),
    ...rest,
  };
}

/** A session at the gateway, with its id. */
export async function newSession(gateway: Gateway, changes: Partial<SessionRequest> = {}): Promise<string> {
  return (await gateway.startSession(sessionRequest(changes), Date.now())).id;
}

/** A card payment at the gateway, with its id. */
export async function newPayment({ gateway, simulator }: Peer, card?: string): Promise<string> {
  const processed = await gateway.processPayment(
    paymentRequest(simulator, card === undefined ? {} : { card }),
  );
  if (processed.kind === 'declined') throw new Error('the payment was declined');
  if (processed.kind !== 'known') throw processed.error;
  return processed.id;
}

/** The fault that a call ended with; a call that succeeds fails the test. */
export async function faultOf(call: Promise<unknown>): Promise<GatewayError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('the call succeeded');
}

export function errorOf(processed: ProcessedPayment): GatewayError | undefined {
  return 'error' in processed ? processed.error : undefined;
}

/** Everything that a careless log line could show of an error. */
export function everythingIn(error: Error): string {
  const deep = inspect(error, { depth: null, showHidden: true, getters: true });
  return [deep, JSON.stringify(error), error.message, error.stack, String(error.cause)].join('\n');
}

/** The gateway's name for each of the gateway's calls, and how to make it. */
export const CALLS: Readonly<Record<Exclude<Call, 'tokenize'>, (peer: Peer, ids: Ids) => Promise<unknown>>> =
  {
    'create-session': ({ gateway }) => gateway.startSession(sessionRequest(), Date.now()),
    'read-session': ({ gateway }, { session }) => gateway.readSession(session),
    process: ({ gateway, simulator }) => gateway.processPayment(paymentRequest(simulator)),
    'read-transaction': ({ gateway }, { payment }) => gateway.readTransaction(payment),
    'tokenization-auth': ({ gateway }) => gateway.accessToken(),
  };

export interface Ids {
  readonly session: string;
  readonly payment: string;
}

export const NOT_PROCESS = [
  'create-session',
  'read-session',
  'read-transaction',
  'tokenization-auth',
] as const;

/** Waits until something is so; the test's own time limit ends it. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(10);
}

/**
 * What the work brings, if it ends in so many milliseconds. Told by the order of two timers and not by a watch: a machine
 * that stands still holds up both.
 */
export async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const watch = new AbortController();
  const late = setTimeout(ms, 'late', { signal: watch.signal })
    // Everything else that is due by then has its turn.
    .then(() => setImmediate())
    .then(() => Promise.reject(new Error(`not done within ${ms} ms`)));
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    watch.abort();
  }
}
