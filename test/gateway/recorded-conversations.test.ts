import { describe, expect, test } from '@jest/globals';
import { centavos } from '../../src/core/money.js';
import { judge } from '../../src/core/payment.js';
import type { Gateway } from '../../src/gateway/gateway.js';
import { GatewayError } from '../../src/gateway/gateway-error.js';
import type { Recorder } from '../../src/gateway/recording/recorder.js';
import type { Call, Fault } from '../../src/simulator/faults.js';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.js';
import { newRecording, recorderFor } from '../support/recording.js';
import { profileOfThisRun } from '../support/test-shop.js';
import { API_KEY, openGateway, paymentRequest, sessionRequest } from './support.js';

/** Soon over, also where an answer never comes. */
const deadlines = { read: 700, createSession: 700, processPayment: 700, accessToken: 700 } as const;
const THEN = { reference: 'TG-7KMX-2AFR', orderNumber: 'TG-7KMX-2AFR', amount: centavos(15_000) } as const;
const NOW = { reference: 'TG-RWXY-HJKM', orderNumber: 'TG-RWXY-HJKM', amount: centavos(289_050) } as const;

interface Trial {
  readonly gateway: Gateway;
  readonly simulator: Simulator;
  readonly order: typeof THEN | typeof NOW;
}

/** What a shop learns of one order, without ids. */
type Story = (trial: Trial) => Promise<unknown>;

const codeOf = (error: unknown) => {
  if (error instanceof GatewayError) return [error.code, error.status];
  throw error;
};

const hosted: Story = async ({ gateway, simulator, order }) => {
  try {
    const session = await gateway.startSession(sessionRequest(order), Date.now());
    if (session.kind === 'unusable') return session.fault;
    simulator.control.paySession(session.id);
    const evidence = await gateway.readSession(session.id);
    return [judge(evidence, { id: session.id, ...order }), evidence.words];
  } catch (error) {
    return codeOf(error);
  }
};

const card: Story = async ({ gateway, simulator, order }) => {
  const processed = await gateway.processPayment(paymentRequest(simulator, order));
  if (processed.kind !== 'known') return [processed.kind, processed.error.code];
  try {
    const evidence = await gateway.readTransaction(processed.id);
    return [processed.words, judge(evidence, { id: processed.id, ...order }), evidence.words];
  } catch (error) {
    return codeOf(error);
  }
};

const token: Story = ({ gateway }) => gateway.accessToken().then(() => 'a token', codeOf);

interface Pair extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly simulator: Simulator;
  readonly recorder: Recorder;
}

async function openPair(recordTo: string, replay?: string): Promise<Pair> {
  const simulator = await startSimulator({
    port: 0,
    apiKey: API_KEY,
    profile: profileOfThisRun(),
    ...(replay !== undefined && { replay: { path: replay } }),
  });
  const recorder = recorderFor(recordTo, { pages: { origins: [simulator.url], allowLoopbackHttp: true } });
  const gateway = openGateway(simulator.url, { deadlines, onExchange: recorder.witness });
  return {
    simulator,
    gateway,
    recorder,
    async [Symbol.asyncDispose]() {
      gateway[Symbol.dispose]();
      await recorder.settled();
      await simulator.close();
    },
  };
}

async function record(path: string, story: Story, prepare: (simulator: Simulator) => void): Promise<unknown> {
  await using pair = await openPair(path);
  prepare(pair.simulator);
  return await story({ ...pair, order: THEN });
}

/** Recorded once more, as a shop may well do. */
async function replay(path: string, story: Story): Promise<unknown> {
  await using pair = await openPair(`${path}.again.jsonl`, path);
  return await story({ ...pair, order: NOW });
}

const set = (values: Record<string, unknown>): Fault => ({ kind: 'rewrite', set: values });
const without = (...remove: string[]): Fault => ({ kind: 'rewrite', set: {}, remove });

interface Oddity {
  readonly story: Story;
  readonly call: Call;
  readonly fault: Fault;
  readonly times?: number;
}

const CASES: readonly (readonly [string, Oddity])[] = [
  ['a centavo less', { story: hosted, call: 'read-session', fault: set({ amount_total: 14_999 }) }],
  ['the amount as text', { story: hosted, call: 'read-session', fault: set({ amount_total: '15000' }) }],
  [
    'a fraction of a centavo',
    { story: hosted, call: 'read-session', fault: set({ amount_total: 15_000.5 }) },
  ],
  ['an amount below zero', { story: hosted, call: 'read-session', fault: set({ amount_total: -15_000 }) }],
  ['no amount', { story: hosted, call: 'read-session', fault: without('amount_total') }],
  ['another currency', { story: hosted, call: 'read-session', fault: set({ currency: 'USD' }) }],
  ['another reference', { story: hosted, call: 'read-session', fault: set({ external_id: 'TG-OTHER' }) }],
  ['another id', { story: hosted, call: 'read-session', fault: set({ id: 'cs_other' }) }],
  [
    'a word nobody knows',
    { story: hosted, call: 'read-session', fault: set({ status: 'partially_settled' }) },
  ],
  ['a word with a blank', { story: hosted, call: 'read-session', fault: set({ status: ' completed' }) }],
  [
    'a contradiction',
    { story: hosted, call: 'read-session', fault: set({ transaction_status: 'Declined' }) },
  ],
  ['a list for its word', { story: hosted, call: 'read-session', fault: set({ status: ['completed'] }) }],
  [
    'a word without end',
    { story: hosted, call: 'read-session', fault: set({ status: 'completed'.repeat(50) }) },
  ],
  ['a number for its id', { story: hosted, call: 'read-session', fault: set({ id: 7 }) }],
  [
    'a page',
    {
      story: hosted,
      call: 'read-session',
      fault: { kind: 'raw', body: '<h1>Eva paid</h1>', contentType: 'text/html' },
    },
  ],
  [
    'broken JSON',
    { story: hosted, call: 'read-session', fault: { kind: 'raw', body: '{"id":"cs_1","status":"comp' } },
  ],
  ['nothing', { story: hosted, call: 'read-session', fault: { kind: 'raw', body: '' } }],
  ['null', { story: hosted, call: 'read-session', fault: { kind: 'raw', body: 'null' } }],
  [
    '500, and then well',
    { story: hosted, call: 'read-session', fault: { kind: 'status', status: 500 }, times: 1 },
  ],
  ['500', { story: hosted, call: 'read-session', fault: { kind: 'status', status: 500 } }],
  [
    '401',
    {
      story: hosted,
      call: 'read-session',
      fault: { kind: 'status', status: 401, body: { error: { code: 'no_key' } } },
    },
  ],
  [
    '429',
    {
      story: hosted,
      call: 'read-session',
      fault: { kind: 'status', status: 429, headers: { 'Retry-After': '7' } },
    },
  ],
  [
    'a redirect',
    { story: hosted, call: 'read-session', fault: { kind: 'redirect', location: 'https://evil.example/' } },
  ],
  [
    'more than anybody reads',
    { story: hosted, call: 'read-session', fault: { kind: 'huge', bytes: 200_000 } },
  ],
  ['a broken connection', { story: hosted, call: 'read-session', fault: { kind: 'drop', when: 'before' } }],
  ['silence', { story: hosted, call: 'read-session', fault: { kind: 'hang' } }],
  ['another amount', { story: hosted, call: 'create-session', fault: set({ amount_total: 1 }) }],
  [
    'a page of another site',
    { story: hosted, call: 'create-session', fault: set({ url: 'https://evil.example/cs_1' }) },
  ],
  [
    'a page that is a script',
    { story: hosted, call: 'create-session', fault: set({ url: 'javascript:alert(1)' }) },
  ],
  [
    '200 for a new session',
    { story: hosted, call: 'create-session', fault: { kind: 'raw', body: '{"id":"cs_1"}' } },
  ],
  [
    '503 for a new session, and then well',
    { story: hosted, call: 'create-session', fault: { kind: 'status', status: 503 }, times: 1 },
  ],
  ['a third decimal', { story: card, call: 'read-transaction', fault: set({ amount: '150.001' }) }],
  ['decimal text', { story: card, call: 'read-transaction', fault: set({ amount: '150.0000' }) }],
  ['centavos for pesos', { story: card, call: 'read-transaction', fault: set({ amount: 15_000 }) }],
  ['no reference', { story: card, call: 'read-transaction', fault: without('client_reference') }],
  ['a payment without an id', { story: card, call: 'process', fault: without('id') }],
  [
    'a payment with a word nobody knows',
    { story: card, call: 'process', fault: set({ status: 'refunded' }) },
  ],
  [
    'a page for a payment',
    { story: card, call: 'process', fault: { kind: 'raw', status: 201, body: '<h1>ok</h1>' } },
  ],
  [
    '422 for a payment',
    {
      story: card,
      call: 'process',
      fault: { kind: 'status', status: 422, body: { error: { code: 'wrong' } } },
    },
  ],
  [
    '402 for a payment',
    {
      story: card,
      call: 'process',
      fault: { kind: 'raw', status: 402, body: '{"error":{"code":"declined"}}' },
    },
  ],
  ['502 for a payment', { story: card, call: 'process', fault: { kind: 'status', status: 502 } }],
  ['silence for a payment', { story: card, call: 'process', fault: { kind: 'hang', apply: true } }],
  ['no token', { story: token, call: 'tokenization-auth', fault: without('access_token') }],
];

describe('a recorded conversation brings a shop to the same end, when the service said', () => {
  test.each(CASES)('%s', async (_what, { story, call, fault, times }) => {
    await using recording = await newRecording();
    const then = await record(recording.path, story, ({ control }) => control.fault(call, fault, times));

    expect(await replay(recording.path, story)).toEqual(then);
  });

  test.each([
    ['a hosted payment', hosted],
    ['a card payment', card],
    ['a token for the vault', token],
  ])('nothing odd about %s', async (_what, story) => {
    await using recording = await newRecording();
    const then = await record(recording.path, story, () => undefined);

    expect(await replay(recording.path, story)).toEqual(then);
  });
});

test('a card payment that nobody took is refused in the replay too, for want of a closed door', async () => {
  await using recording = await newRecording();
  await using pair = await openPair(recording.path);
  const request = paymentRequest(pair.simulator, THEN);
  await pair.simulator.close();
  const then = await pair.gateway.processPayment(request);
  await pair.recorder.settled();

  expect(then).toMatchObject({ kind: 'refused', error: { code: 'unreachable' } });
  expect(await replay(recording.path, card)).toEqual(['refused', 'rate_limited']);
});
