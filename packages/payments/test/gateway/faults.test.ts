import { expect, jest, test } from '@jest/globals';
import type { Fault } from '@tianguis/gateway-tools';
import { within } from '../../../../test/support/crowd.js';
import { createClient } from '../../../../test/support/replica.js';
import { API_KEY } from '../../../../test/support/test-shop.js';
import type { GatewayErrorCode } from '../../src/gateway/errors.js';
import {
  dumpError,
  errorOf,
  LONG,
  newPayment,
  newSession,
  openTestGateway,
  pay,
  REPEATABLE_CALLS,
  raw,
  SHORT,
} from './support.js';

interface Expected {
  readonly code: GatewayErrorCode;
  /** The outcome of a card payment. */
  readonly process: 'refused' | 'unknown';
}

const lost: Expected = { code: 'connection_lost', process: 'unknown' };
const timeout: Expected = { code: 'timeout', process: 'unknown' };
const serverError: Expected = { code: 'server_error', process: 'unknown' };
const badAnswer: Expected = { code: 'bad_answer', process: 'unknown' };
const unauthorized: Expected = { code: 'unauthorized', process: 'refused' };
const notFound: Expected = { code: 'not_found', process: 'refused' };
const refused: Expected = { code: 'refused', process: 'refused' };
const limited: Expected = { code: 'rate_limited', process: 'refused' };

/** An answer that repeats the API key. */
const status = (code: number): Fault => ({
  kind: 'status',
  status: code,
  body: { error: { code: 'oops', message: `Token ${API_KEY}` } },
});

const FAULTS: readonly (readonly [Fault, Expected])[] = [
  [{ kind: 'drip', bytesPerSecond: 20 }, timeout],
  [{ kind: 'hang', apply: true }, timeout],
  [{ kind: 'drop', when: 'before' }, lost],
  [{ kind: 'drop', when: 'after' }, lost],
  [{ kind: 'status', status: 500, apply: true }, serverError],
  ...[500, 408].map((code) => [status(code), serverError] as const),
  ...[401, 403].map((code) => [status(code), unauthorized] as const),
  [status(404), notFound],
  [status(422), refused],
  [{ kind: 'status', status: 429, headers: { 'Retry-After': '60' } }, limited],
  [status(304), badAnswer],
  [{ kind: 'redirect', location: 'https://other.example/api/v1/transactions/1/' }, badAnswer],
  [raw('<!doctype html><h1>Bad gateway</h1>', 'text/html'), badAnswer],
  ...['{"id":"1","status":', '', '{"id":"1","status":"completed"} x', 'null', '[]'].map(
    (body) => [raw(body), badAnswer] as const,
  ),
  [{ kind: 'huge', bytes: 5_000_000 }, badAnswer],
  [{ kind: 'gzip-bomb', bytes: 500_000 }, badAnswer],
];

const MAX_TRIES = 3;
type RepeatableCall = keyof typeof REPEATABLE_CALLS;
const CALLS = Object.keys(REPEATABLE_CALLS) as readonly RepeatableCall[];

/** Errors after which every repeatable call but create-session is tried again. */
const RETRIED = [lost, serverError];

test.each(FAULTS)(
  'with the fault %j every call ends in time with %j and shows no secret, and a card payment is sent once',
  async (fault, expected) => {
    const deadlines = { ...LONG };
    await using client = await openTestGateway({ deadlines });
    const { control } = client.simulator;
    const ids = { session: await newSession(client.gateway), payment: await newPayment(client) };
    const clients = CALLS.map((call) => {
      const gateway = createClient(client.simulator.url, { deadlines });
      return { gateway, run: () => REPEATABLE_CALLS[call](gateway, ids) };
    });
    const charges = control.ledger().length;
    for (const call of [...CALLS, 'process'] as const) control.fault(call, fault);
    const countRepeatable = () => control.calls().length - control.calls('process').length;
    const before = countRepeatable();
    if (expected === timeout) Object.assign(deadlines, SHORT);

    const [processed, ...errors] = await Promise.all([pay(client), ...clients.map(({ run }) => errorOf(run()))]);

    Object.assign(deadlines, LONG);
    control.clearFaults();
    const sent = countRepeatable() - before;
    const error = 'error' in processed ? processed.error : undefined;
    expect([processed.kind, error?.code]).toEqual([expected.process, expected.code]);
    expect(errors.map(({ code }) => code)).toEqual(CALLS.map(() => expected.code));
    expect([error, ...errors].map((each) => each && dumpError(each)).join('\n')).not.toContain(API_KEY);
    expect(control.calls('process').length).toBeLessThanOrEqual(2);
    const repeated = RETRIED.includes(expected) ? CALLS.length - 1 : 0;
    // On a busy machine a deadline of 600 ms may end before the call is sent.
    expect(sent).toBeGreaterThanOrEqual(expected === timeout ? 0 : CALLS.length + repeated * (MAX_TRIES - 1));
    expect(sent).toBeLessThanOrEqual(CALLS.length * MAX_TRIES);
    if (processed.kind === 'refused') expect(control.ledger()).toHaveLength(charges);
    if (expected !== limited) for (const { run } of clients) await run();
    if (expected !== limited) await newPayment(client);
    for (const { gateway } of clients) gateway[Symbol.dispose]();
  },
);

test('a lookup or access token whose answer is lost is tried three times and then succeeds', async () => {
  await using client = await openTestGateway();
  const { control } = client.simulator;
  const ids = { session: await newSession(client.gateway), payment: await newPayment(client) };
  const repeated = CALLS.filter((call) => call !== 'create-session');
  const before = repeated.map((call) => control.calls(call).length);

  for (const call of repeated) {
    control.fault(call, { kind: 'drop', when: 'after' }, 2);
    await REPEATABLE_CALLS[call](client.gateway, ids);
  }

  const sent = repeated.map((call, index) => control.calls(call).length - (before[index] ?? 0));
  expect(sent).toEqual([3, 3, 3]);
});

test.each([401, 404])('a lookup answered with %i is not tried again', async (code) => {
  await using client = await openTestGateway();
  client.simulator.control.fault('read-session', status(code));

  await errorOf(client.gateway.lookUp('hosted', 'cs_1'));

  expect(client.simulator.control.calls('read-session')).toHaveLength(1);
});

test.each<[number, GatewayErrorCode]>([
  [409, 'conflict'],
  [422, 'refused'],
])('a session answered with HTTP %i is refused, not tried again, and opens no circuit breaker', async (code, error) => {
  await using client = await openTestGateway();
  const { control } = client.simulator;
  control.fault('create-session', status(code), 10);

  for (let count = 0; count < 10; count += 1)
    expect(await errorOf(newSession(client.gateway))).toMatchObject({ code: error, status: code });

  expect(control.calls('create-session')).toHaveLength(10);
  await newSession(client.gateway);
});

test('HTTP 409 to any other call proves nothing: a lookup is tried again, and a payment is unknown', async () => {
  await using client = await openTestGateway();
  const { control } = client.simulator;
  control.fault('read-session', status(409));
  control.fault('process', status(409));

  const error = await errorOf(client.gateway.lookUp('hosted', 'cs_1'));
  const processed = await pay(client);

  expect(error).toMatchObject({ code: 'server_error', status: 409 });
  expect(processed).toMatchObject({ kind: 'unknown', error: { code: 'server_error' } });
  expect(control.calls('read-session')).toHaveLength(3);
});

test('all tries of a call together end at its deadline', async () => {
  await using client = await openTestGateway();
  client.simulator.control.fault('read-session', { kind: 'drop', when: 'before' }, 1);
  client.simulator.control.fault('read-session', { kind: 'hang' });
  const now = performance.now.bind(performance);

  const call = errorOf(client.gateway.lookUp('hosted', 'cs_1'));
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + LONG['read-session'] - 1_000);
  const error = await within(LONG['read-session'] / 2, call);
  clock.mockRestore();

  // On a busy machine the second try does not start.
  expect(['timeout', 'connection_lost']).toContain(error.code);
});
