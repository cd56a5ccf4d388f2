import { expect, test } from '@jest/globals';
import type { Fault } from '../../tools/simulator/faults.js';
import { within } from '../support/crowd.js';
import { errorOf, newPayment, newSession, openTestGateway, REPEATABLE_CALLS, status } from './support.js';

test.each<Fault>([{ kind: 'drop', when: 'after' }, status(500)])(
  'a call with the fault %j is tried three times and then succeeds',
  async (fault) => {
    await using client = await openTestGateway();
    const { control } = client.simulator;
    const ids = { session: await newSession(client.gateway), payment: await newPayment(client) };
    const calls = Object.keys(REPEATABLE_CALLS) as (keyof typeof REPEATABLE_CALLS)[];
    const before = calls.map((call) => control.calls(call).length);

    for (const call of calls) {
      control.fault(call, fault, 2);
      await REPEATABLE_CALLS[call](client.gateway, ids);
    }

    expect(calls.map((call, index) => control.calls(call).length - (before[index] ?? 0))).toEqual([
      3, 3, 3, 3,
    ]);
  },
);

test('a call that fails three times is not tried again', async () => {
  await using client = await openTestGateway();
  client.simulator.control.fault('tokenization-auth', status(500));

  const { code } = await errorOf(client.gateway.accessToken());

  expect(code).toBe('server_error');
  expect(client.simulator.control.calls('tokenization-auth')).toHaveLength(3);
});

test.each([401, 404])('a lookup answered with %i is not tried again', async (code) => {
  await using client = await openTestGateway();
  client.simulator.control.fault('read-session', status(code));

  await errorOf(client.gateway.lookUp('hosted', 'cs_1'));

  expect(client.simulator.control.calls('read-session')).toHaveLength(1);
});

test('all tries of a call together end at its deadline', async () => {
  await using client = await openTestGateway({ deadlines: { read: 700 } });
  client.simulator.control.fault('read-session', { kind: 'drop', when: 'before' }, 1);
  client.simulator.control.fault('read-session', { kind: 'hang' });

  const error = await within(2_000, errorOf(client.gateway.lookUp('hosted', 'cs_1')));

  // The second try may not start before the deadline.
  expect(['timeout', 'connection_lost']).toContain(error.code);
});
