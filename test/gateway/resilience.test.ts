import { expect, jest, test } from '@jest/globals';
import type { ProcessedPayment } from '../../src/gateway/card-payments.js';
import type { Fault } from '../../tools/simulator/faults.js';
import { within } from '../support/crowd.js';
import { until } from '../support/inspect.js';
import {
  createClient,
  errorOf,
  LONG,
  newPayment,
  newSession,
  openTestGateway,
  pay,
  SHORT,
  status,
} from './support.js';

// The deadlines are real time. A pause of the machine can exceed one.
jest.retryTimes(2);

test('after HTTP 429 with a retry time no call is sent to that host, and a card payment is refused', async () => {
  await using client = await openTestGateway();
  const { control } = client.simulator;
  const session = await newSession(client.gateway);
  control.rateLimit('read-session', 60, 1);
  const first = await errorOf(client.gateway.lookUp('hosted', session));
  const before = control.calls().length;

  const second = await errorOf(client.gateway.lookUp('hosted', session));
  const token = await errorOf(client.gateway.accessToken());
  const processed = await pay(client);

  expect([first.code, second.code, token.code]).toEqual(['rate_limited', 'rate_limited', 'rate_limited']);
  expect(first.retryAfterMs).toBe(60_000);
  expect(second.retryAfterMs).toBeGreaterThan(1_000);
  expect(processed).toMatchObject({ kind: 'refused', error: { code: 'rate_limited' } });
  expect(control.calls()).toHaveLength(before);
});

test('after HTTP 429 with a retry time below the deadline, the call is sent again after that time', async () => {
  await using client = await openTestGateway();
  const session = await newSession(client.gateway);
  client.simulator.control.rateLimit('read-session', 1, 1);
  const started = performance.now();

  await client.gateway.lookUp('hosted', session);

  expect(client.simulator.control.calls('read-session')).toHaveLength(2);
  expect(performance.now() - started).toBeGreaterThanOrEqual(990);
});

test('a rate limit of one host does not stop calls to the other host', async () => {
  await using checkout = await openTestGateway();
  await using payments = await openTestGateway();
  using gateway = createClient(payments.simulator.url, { checkoutApiUrl: checkout.simulator.url });
  checkout.simulator.control.rateLimit('read-session', 60, 1);

  await errorOf(gateway.lookUp('hosted', 'cs_1'));

  await expect(gateway.accessToken()).resolves.toEqual(expect.any(String));
});

const retryAfter = (value: string): Fault => ({ ...status(429), headers: { 'Retry-After': value } }) as Fault;
const retryInBody = (retry_after: unknown): Fault =>
  ({ ...status(429), body: { error: { retry_after } } }) as Fault;

test.each<[Fault, number]>([
  [retryInBody(60), 60_000],
  [retryInBody('60'), 1000],
  [status(429), 1000],
  [retryAfter('soon'), 1000],
  [retryAfter('-5'), 1000],
  [retryAfter('9999999999'), 600_000],
  [{ kind: 'raw', status: 429, body: 'Too many' }, 1000],
])('the answer %j delays the next call by %i ms', async (fault, ms) => {
  await using client = await openTestGateway({ deadlines: SHORT });
  client.simulator.control.fault('read-session', fault, 1);

  expect((await errorOf(client.gateway.lookUp('hosted', 'cs_1'))).retryAfterMs).toBe(ms);
});

test('after eight faults in a row the circuit breaker answers at once, and closes after the gateway recovers', async () => {
  await using client = await openTestGateway({ deadlines: { ...LONG, read: SHORT.read } });
  const { control } = client.simulator;
  const session = await newSession(client.gateway);
  control.fault('read-session', status(503));
  for (let count = 0; count < 8; count += 1) await errorOf(client.gateway.lookUp('hosted', session));
  const before = control.calls().length;

  const [open, processed] = await within(
    2_000,
    Promise.all([errorOf(client.gateway.lookUp('hosted', session)), pay(client)]),
  );

  expect(open).toMatchObject({ code: 'unreachable', reason: 'breaker_open' });
  expect(processed).toMatchObject({ kind: 'refused', error: { reason: 'breaker_open' } });
  expect(control.calls()).toHaveLength(before);
  control.clearFaults();
  await until(() => client.gateway.lookUp('hosted', session).then(Boolean, () => false));
  await newPayment(client);
});

test('while the circuit breaker tests the gateway with one call, other calls are answered at once', async () => {
  await using client = await openTestGateway({ deadlines: { ...SHORT, processPayment: 2000 } });
  const { control } = client.simulator;
  control.fault('read-session', status(503));
  for (let count = 0; count < 8; count += 1) await errorOf(client.gateway.lookUp('hosted', 'cs_1'));
  control.clearFaults();
  control.fault('process', { kind: 'hang' });
  let probe: Promise<ProcessedPayment> | undefined;
  await until(() => {
    probe = pay(client);
    return control.calls('process').length === 1;
  });

  const error = await within(SHORT.read, errorOf(client.gateway.lookUp('hosted', 'cs_1')));

  expect(error).toMatchObject({ code: 'unreachable', reason: 'breaker_open' });
  await probe;
  expect(control.calls('process')).toHaveLength(1);
});
