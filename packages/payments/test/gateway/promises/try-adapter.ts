/** What the checks of promises share: payments through the adapter, and answers with flaws. */
import { randomUUID } from 'node:crypto';
import type { PaymentFlow } from '@tianguis/payments/rules';
import { type Centavos, centavos } from '@tianguis/payments/rules';
import type { GatewayCall } from '../../../src/gateway/errors.js';
import { paymentRequest, sessionRequest } from '../support.js';
import type { Adapter, FaultyServer, Flaw, Pair } from './faulty-server.js';

export interface Tried extends Pair {
  readonly adapter: Adapter;
}

export interface AdapterPromise {
  readonly name: string;
  /** Rejects if the adapter breaks the promise. */
  check(tried: Tried): Promise<void>;
}

export interface Started {
  readonly flow: PaymentFlow;
  readonly id: string;
  readonly reference: string;
}

export const AMOUNT = centavos(15_000);

/** Starts and pays one payment of a flow. */
export async function payBy(
  flow: PaymentFlow,
  { adapter, server }: Tried,
  amount: Centavos = AMOUNT,
): Promise<Started> {
  const reference = `TG-${randomUUID()}`;
  if (flow === 'hosted') {
    const { gatewayId: id } = await adapter.startSession(sessionRequest({ reference, amount }), Date.now());
    server.paySession(id);
    return { flow, id, reference };
  }
  const processed = await adapter.processPayment(
    paymentRequest({ reference, amount, tokens: server.cardTokens('paid') }),
  );
  if (processed.kind !== 'known') throw new Error(`the payment is ${processed.kind}`);
  return { flow, id: processed.payment.gatewayId, reference };
}

export const payByEach = async (tried: Tried): Promise<readonly Started[]> =>
  Promise.all(tried.adapter.flows.map((flow) => payBy(flow, tried)));

export const startSession = (adapter: Adapter) => adapter.startSession(sessionRequest(), Date.now());
export const pay = ({ adapter, server }: Tried, card: Parameters<FaultyServer['cardTokens']>[0] = 'paid') =>
  adapter.processPayment(paymentRequest({ tokens: server.cardTokens(card) }));
export const refundOf = ({ id }: Started, amount = AMOUNT) => ({ idempotencyKey: randomUUID(), gatewayId: id, amount });

/** Runs `act` with a new adapter for each flaw. An earlier flaw does not affect the next one. */
export async function withEach(
  { server, openAdapter }: Tried,
  flaws: readonly Flaw[],
  act: (tried: Tried, flaw: Flaw) => Promise<void>,
): Promise<void> {
  for (const flaw of flaws) {
    using adapter = openAdapter();
    server.answerWith(flaw);
    await act({ server, openAdapter, adapter }, flaw);
  }
}

/** After these the gateway may have acted. */
export const UNPROVEN: readonly Flaw[] = ['lost', 'broken', 'unreadable'];

/** Returns how many further requests of a call `act` causes. */
export async function requestsOf(
  server: FaultyServer,
  call: GatewayCall,
  act: () => Promise<unknown>,
): Promise<number> {
  const before = server.requests(call);
  await act().catch(() => undefined);
  return server.requests(call) - before;
}
