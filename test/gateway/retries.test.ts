import { describe, expect, test } from '@jest/globals';
import type { Fault } from '../../tools/simulator/faults.js';
import {
  CALLS,
  faultOf,
  NOT_PROCESS,
  newPayment,
  newSession,
  openGateway,
  openPeer,
  patient,
  within,
} from './support.js';

const status = (code: number): Fault => ({ kind: 'status', status: code });
const raw = (body: string, contentType: string): Fault => ({ kind: 'raw', body, contentType });

describe('asking again', () => {
  const TRANSIENT: readonly Fault[] = [
    { kind: 'drop', when: 'before' },
    { kind: 'drop', when: 'after' },
    status(500),
    status(503),
    raw('<h1>Bad gateway</h1>', 'text/html'),
    { kind: 'huge', bytes: 1_000_000 },
    { kind: 'redirect', location: '/api/v1/transactions/followed/' },
  ];

  test.each(TRANSIENT)('after %j a call is made a second and a third time, and succeeds', async (fault) => {
    await using peer = await openPeer({ deadlines: patient });
    const { control } = peer.simulator;
    const ids = { session: await newSession(peer.gateway), payment: await newPayment(peer) };
    const before = NOT_PROCESS.map((call) => control.calls(call).length);
    for (const call of NOT_PROCESS) control.fault(call, fault, 2);
    const peers = NOT_PROCESS.map((call) => ({
      call,
      gateway: openGateway(peer.simulator.url, { deadlines: patient }),
    }));

    await Promise.all(peers.map(({ call, gateway }) => CALLS[call]({ ...peer, gateway }, ids)));

    expect(NOT_PROCESS.map((call, at) => control.calls(call).length - (before[at] ?? 0))).toEqual([
      3, 3, 3, 3,
    ]);
    for (const { gateway } of peers) gateway[Symbol.dispose]();
  });

  test('three times is the most', async () => {
    await using peer = await openPeer({ deadlines: patient });
    peer.simulator.control.fault('tokenization-auth', status(500));

    const { code } = await faultOf(peer.gateway.accessToken());

    expect(code).toBe('server_error');
    expect(peer.simulator.control.calls('tokenization-auth')).toHaveLength(3);
  });

  test.each([status(401), status(404), status(422)])(
    '%j is an answer and not asked for again',
    async (fault) => {
      await using peer = await openPeer({ deadlines: patient });
      peer.simulator.control.fault('read-session', fault);

      await faultOf(peer.gateway.readSession('cs_1'));

      expect(peer.simulator.control.calls('read-session')).toHaveLength(1);
    },
  );

  test('a session whose first answer was lost is the same session, asked for with the same key', async () => {
    await using peer = await openPeer({ deadlines: patient });
    const { control } = peer.simulator;
    control.fault('create-session', { kind: 'drop', when: 'after' }, 1);

    const id = await newSession(peer.gateway);

    const keys = control.calls('create-session').map(({ headers }) => headers['x-idempotency-key']);
    expect(control.sessions().map((session) => session.id)).toEqual([id]);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(keys[0]).toBeDefined();
  });

  test.each([700, 1100])('all tries together end at the deadline of %d ms', async (deadline) => {
    await using peer = await openPeer({ deadlines: { read: deadline } });
    peer.simulator.control.fault('read-session', { kind: 'drop', when: 'before' }, 1);
    peer.simulator.control.fault('read-session', { kind: 'hang' });

    const error = await within(deadline + 300, faultOf(peer.gateway.readSession('cs_1')));

    // The last word of the gateway, where the time was up before it could be asked again.
    expect(['timeout', 'connection_lost']).toContain(error.code);
  });
});
