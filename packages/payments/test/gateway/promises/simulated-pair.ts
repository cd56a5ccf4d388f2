/** The shop's own adapter with the simulator. */

import type { Call, Fault } from '@tianguis/gateway-tools';
import { centavos } from '@tianguis/payments/rules';
import { CARDS } from '../../../../../test/support/purchase.js';
import { createClient } from '../../../../../test/support/replica.js';
import { API_KEY, profileOfThisRun } from '../../../../../test/support/test-shop.js';
import { hasFailedTry, isDeclinedTry, isPlainPending } from '../../../src/gateway/status.js';
import { readWebhook } from '../../../src/gateway/webhook-event.js';
import { LONG, openTestGateway, raw, rewrite } from '../support.js';
import { ECHO, type Flaw, type Pair } from './faulty-server.js';

const CALLS = {
  'create-session': 'create-session',
  'read-session': 'read-session',
  'process-payment': 'process',
  'read-transaction': 'read-transaction',
  'refund-payment': 'refund',
  'read-refund': 'read-transaction',
  'access-token': 'tokenization-auth',
} as const;

const echo = { error: { code: 'oops', message: `Token ${API_KEY} ${ECHO}` } };
const without = (...names: readonly string[]) => rewrite(Object.fromEntries(names.map((name) => [name, undefined])));
const withUrl = (url: string) => rewrite({ url, next_action: { redirect_to_url: { url } } });

const FAULTS: Readonly<Record<Extract<Flaw, string>, Fault>> = {
  lost: { kind: 'drop', when: 'after' },
  silent: { kind: 'hang', apply: true },
  broken: { kind: 'status', status: 500, body: echo, apply: true },
  refused: { kind: 'status', status: 422, body: echo },
  unreadable: { ...raw('<!doctype html><h1>Bad gateway</h1>', 'text/html'), apply: true } as Fault,
  oversized: { kind: 'huge', bytes: 5_000_000 },
  'unknown-status': rewrite({ status: 'settled' }),
  'other-amount': rewrite({ amount_total: 15_001, amount: 150.01 }),
  fraction: rewrite({ amount_total: 15_000.001, amount: 150.00001 }),
  'other-id': rewrite({ id: 'another-id' }),
  'other-reference': rewrite({ external_id: 'TG-2222-3333', client_reference: 'TG-2222-3333' }),
  bare: without('amount_total', 'amount', 'currency', 'external_id', 'client_reference'),
  'foreign-page': withUrl('https://page.example/checkout/1'),
  'unsafe-page': withUrl('javascript:alert(1)'),
};

export async function openSimulatedPair(): Promise<Pair & { readonly url: string }> {
  const { simulator, gateway } = await openTestGateway();
  gateway[Symbol.dispose]();
  const { control } = simulator;
  return {
    url: simulator.url,
    server: {
      hasReference: (flow) => flow === 'hosted' || profileOfThisRun() !== 'minimal',
      cardTokens: (outcome) => control.tokenizeCard(CARDS[outcome]),
      paySession: (id) => void control.paySession(id),
      answerWith(flaw) {
        const fault: Fault = typeof flaw === 'string' ? FAULTS[flaw] : { kind: 'redirect', location: flaw.redirectTo };
        control.clearFaults();
        for (const call of new Set<Call>(Object.values(CALLS))) control.fault(call, fault);
      },
      requests: (call) => control.calls(CALLS[call]).length,
      returnUrl() {
        const start = control.calls().findLast(({ call }) => call === 'create-session' || call === 'process');
        const body = start?.body as { readonly return_url?: string } | undefined;
        return body?.return_url ?? '';
      },
      moved: () => ({
        payments: control.ledger().length,
        refunds: control.refundLedger().map(({ amountMinor }) => centavos(amountMinor)),
      }),
      eventAbout: (id) => control.deliveries().findLast(({ payload }) => JSON.stringify(payload).includes(id))?.payload,
      [Symbol.asyncDispose]: () => simulator.close(),
    },
    openAdapter: (settings) => ({
      ...createClient(simulator.url, { deadlines: LONG, ...settings }),
      readWebhook,
      isPlainPending,
      hasFailedTry,
      isDeclinedTry,
    }),
  };
}
