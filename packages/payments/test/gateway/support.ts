/** The gateway client with a simulator, for tests that open their own pair. */
import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
// The client imports axios with its first call. No deadline of a test includes that.
import 'axios';
import type { Call, Fault } from '@tianguis/gateway-tools';
import { type Simulator, startSimulator } from '@tianguis/gateway-tools';
import { centavos } from '@tianguis/payments/rules';
import { CARDS } from '../../../../test/support/purchase.js';
import { createClient } from '../../../../test/support/replica.js';
import { API_KEY, profileOfThisRun } from '../../../../test/support/test-shop.js';
import type { PaymentRequest, ProcessedPayment } from '../../src/gateway/card-payments.js';
import type { GatewaySettings } from '../../src/gateway/connection.js';
import { GATEWAY_CALLS, type GatewayCall, GatewayError } from '../../src/gateway/errors.js';
import type { Gateway } from '../../src/gateway/gateway.js';
import type { SessionRequest } from '../../src/gateway/hosted-sessions.js';

const deadlines = (ms: number) =>
  Object.fromEntries(GATEWAY_CALLS.map((call) => [call, ms])) as Record<GatewayCall, number>;

/** Enough for one answer, too short for a second try. */
export const SHORT = deadlines(600);
/** Enough for all tries, also on a slow machine. */
export const LONG = deadlines(20_000);

export interface TestGateway extends AsyncDisposable {
  readonly simulator: Simulator;
  readonly gateway: Gateway;
}

export async function openTestGateway(settings: Partial<GatewaySettings> = {}): Promise<TestGateway> {
  const simulator = await startSimulator({ port: 0, apiKey: API_KEY, profile: profileOfThisRun() });
  const gateway = createClient(simulator.url, { deadlines: LONG, ...settings });
  return {
    simulator,
    gateway,
    async [Symbol.asyncDispose]() {
      gateway[Symbol.dispose]();
      await simulator.close();
    },
  };
}

const contact = { firstName: 'Eva', lastName: 'Ruiz Nava', email: 'eva@example.com' };
const returnUrl = 'https://shop.example/checkout/return/abc';

/** Each session has a reference of its own, because the gateway accepts a reference once. */
export function sessionRequest(changes: Partial<SessionRequest> = {}): SessionRequest {
  return {
    idempotencyKey: randomUUID(),
    reference: `TG-${randomUUID()}`,
    orderNumber: 'TG-7KMX-2AFR',
    contact,
    lines: [
      { productId: 'taza', name: 'Taza', unitPrice: centavos(5000), quantity: 2 },
      { productId: 'jarra', name: 'Jarra “negra”', unitPrice: centavos(5000), quantity: 1 },
    ],
    amount: centavos(15_000),
    returnUrl,
    expiresAt: Date.now() + 60 * 60_000,
    ...changes,
  };
}

/** Tokens in the form of the tokenizer, unknown to the simulator. */
const TOKENS: PaymentRequest['tokens'] = {
  card_number: '5017-3321-0098-4410',
  cardholder_name: '00000000-0000-4000-8000-000000000001',
  cvv: '00000000-0000-4000-8000-000000000002',
  expiration_month: '00000000-0000-4000-8000-000000000003',
  expiration_year: '00000000-0000-4000-8000-000000000004',
};

export function paymentRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    idempotencyKey: randomUUID(),
    reference: 'TG-7KMX-2AFR-2',
    contact,
    amount: centavos(15_000),
    returnUrl,
    tokens: TOKENS,
    ...changes,
  };
}

/** Sends a card payment with tokens of the card. */
export function pay(
  { gateway, simulator }: TestGateway,
  { card = CARDS.paid as string, ...changes }: Partial<PaymentRequest> & { readonly card?: string } = {},
): Promise<ProcessedPayment> {
  return gateway.processPayment(paymentRequest({ tokens: simulator.control.tokenizeCard(card), ...changes }));
}

/** Creates a session and returns its id. */
export async function newSession(gateway: Gateway, changes: Partial<SessionRequest> = {}): Promise<string> {
  return (await gateway.startSession(sessionRequest(changes), Date.now())).gatewayId;
}

/** Sends a card payment and returns its id. */
export async function newPayment(client: TestGateway, card?: string): Promise<string> {
  const processed = await pay(client, card === undefined ? {} : { card });
  if (processed.kind === 'declined') throw new Error('the payment was declined');
  if (processed.kind !== 'known') throw processed.error;
  return processed.payment.gatewayId;
}

/** Returns the gateway error of a call. A call that succeeds fails the test. */
export async function errorOf(call: Promise<unknown>): Promise<GatewayError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('the call succeeded');
}

/** Returns all that a careless log line could show of an error. */
export function dumpError(error: Error): string {
  const deep = inspect(error, { depth: null, showHidden: true, getters: true });
  return [deep, JSON.stringify(error), error.message, error.stack, String(error.cause)].join('\n');
}

interface Ids {
  readonly session: string;
  readonly payment: string;
}

/** The calls that may be repeated, by the simulator's name. */
export const REPEATABLE_CALLS = {
  'create-session': (gateway: Gateway) => gateway.startSession(sessionRequest(), Date.now()),
  'read-session': (gateway: Gateway, { session }: Ids) => gateway.lookUp('hosted', session),
  'read-transaction': (gateway: Gateway, { payment }: Ids) => gateway.lookUp('card', payment),
  'tokenization-auth': (gateway: Gateway) => gateway.accessToken(),
} as const satisfies Partial<Record<Call, (gateway: Gateway, ids: Ids) => Promise<unknown>>>;

export const status = (code: number): Fault => ({ kind: 'status', status: code });

export const raw = (body: string, contentType = 'application/json'): Fault => ({
  kind: 'raw',
  body,
  contentType,
});

/** Changes members of the answer. The value `undefined` removes a member. */
export const rewrite = (members: Record<string, unknown>): Fault => ({
  kind: 'rewrite',
  set: members,
  remove: Object.keys(members).filter((name) => members[name] === undefined),
});
