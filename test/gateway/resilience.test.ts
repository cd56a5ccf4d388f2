import { describe, expect, jest, test } from '@jest/globals';
import type { ProcessedPayment } from '../../src/gateway/card-payments.js';
import type { Fault } from '../../tools/simulator/faults.js';
import {
  faultOf,
  newPayment,
  newSession,
  noRetries,
  openGateway,
  openPeer,
  patient,
  paymentRequest,
  until,
  within,
} from './support.js';

// Deadlines are real time here: a machine that stands still for a while breaks them, and not three times in a row.
jest.retryTimes(2);

const status = (code: number): Fault => ({ kind: 'status', status: code });

describe('a gateway that asks to be left alone', () => {
  test('is left alone by every call to its host, and no card payment counts as sent', async () => {
    await using peer = await openPeer({ deadlines: patient });
    const { control } = peer.simulator;
    const session = await newSession(peer.gateway);
    control.rateLimit('read-session', 60, 1);
    const first = await faultOf(peer.gateway.readSession(session));
    const before = control.calls().length;

    const second = await faultOf(peer.gateway.readSession(session));
    const token = await faultOf(peer.gateway.accessToken());
    const processed = await peer.gateway.processPayment(paymentRequest(peer.simulator));

    expect([first.code, second.code, token.code]).toEqual(['rate_limited', 'rate_limited', 'rate_limited']);
    expect(first.retryAfterMs).toBe(60_000);
    expect(second.retryAfterMs).toBeGreaterThan(1_000);
    expect(processed).toMatchObject({ kind: 'refused', error: { code: 'rate_limited' } });
    expect(control.calls()).toHaveLength(before);
  });

  test('is asked again when its time is short', async () => {
    await using peer = await openPeer({ deadlines: patient });
    const session = await newSession(peer.gateway);
    peer.simulator.control.rateLimit('read-session', 1, 1);
    const started = performance.now();

    await peer.gateway.readSession(session);

    expect(peer.simulator.control.calls('read-session')).toHaveLength(2);
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
  });

  test('is not disturbed sooner because another of its answers named a shorter time', async () => {
    await using peer = await openPeer({ deadlines: noRetries });
    peer.simulator.control.rateLimit('read-session', 60, 1);
    peer.simulator.control.fault('read-transaction', status(429), 1);

    await Promise.all([
      faultOf(peer.gateway.readSession('cs_1')),
      faultOf(peer.gateway.readTransaction('x')),
    ]);

    expect((await faultOf(peer.gateway.accessToken())).retryAfterMs).toBeGreaterThan(1_000);
  });

  test('of another host does not stop this one', async () => {
    await using checkout = await openPeer();
    await using payments = await openPeer();
    using gateway = openGateway(payments.simulator.url, { checkoutApiUrl: checkout.simulator.url });
    checkout.simulator.control.rateLimit('read-session', 60, 1);

    await faultOf(gateway.readSession('cs_1'));

    await expect(gateway.accessToken()).resolves.toEqual(expect.any(String));
  });

  test.each<[string, Fault, number]>([
    ['in the body only', { kind: 'status', status: 429, body: { error: { retry_after: 60 } } }, 60_000],
    ['nowhere', { kind: 'status', status: 429 }, 1000],
    ['as nonsense', { kind: 'status', status: 429, headers: { 'Retry-After': 'soon' } }, 1000],
    ['as a negative number', { kind: 'status', status: 429, headers: { 'Retry-After': '-5' } }, 1000],
    ['as a text in the body', { kind: 'status', status: 429, body: { error: { retry_after: '60' } } }, 1000],
    ['as centuries', { kind: 'status', status: 429, headers: { 'Retry-After': '9999999999' } }, 600_000],
    ['in a body that is no JSON', { kind: 'raw', status: 429, body: 'Too many' }, 1000],
  ])('is left alone for a bounded time when it says how long %s', async (_where, fault, ms) => {
    await using peer = await openPeer({ deadlines: noRetries });
    peer.simulator.control.fault('read-session', fault, 1);

    expect((await faultOf(peer.gateway.readSession('cs_1'))).retryAfterMs).toBe(ms);
  });
});

describe('a gateway that is down', () => {
  test('is not asked after eight faults in a row, is answered for at once, and heals by itself', async () => {
    await using peer = await openPeer({ deadlines: { ...patient, read: noRetries.read } });
    const { control } = peer.simulator;
    const session = await newSession(peer.gateway);
    control.fault('read-session', status(503));
    for (let times = 0; times < 8; times += 1) await faultOf(peer.gateway.readSession(session));
    const before = control.calls().length;

    const [open, processed] = await within(
      patient.processPayment / 2,
      Promise.all([
        faultOf(peer.gateway.readSession(session)),
        peer.gateway.processPayment(paymentRequest(peer.simulator)),
      ]),
    );

    expect(open).toMatchObject({ code: 'unreachable', reason: 'breaker_open' });
    expect(processed).toMatchObject({ kind: 'refused', error: { reason: 'breaker_open' } });
    expect(control.calls()).toHaveLength(before);
    control.clearFaults();
    await until(() =>
      peer.gateway.readSession(session).then(
        () => true,
        () => false,
      ),
    );
    await newPayment(peer);
  });

  test('keeps nobody waiting for a call that tries whether it is back', async () => {
    await using peer = await openPeer({ deadlines: { ...noRetries, processPayment: 2000 } });
    const { control } = peer.simulator;
    control.fault('read-session', status(503));
    for (let times = 0; times < 8; times += 1) await faultOf(peer.gateway.readSession('cs_1'));
    control.clearFaults();
    control.fault('process', { kind: 'hang' });
    let probe: Promise<ProcessedPayment> | undefined;
    await until(() => {
      probe = peer.gateway.processPayment(paymentRequest(peer.simulator));
      return control.calls('process').length === 1;
    });

    const error = await within(noRetries.read, faultOf(peer.gateway.readSession('cs_1')));

    expect(error).toMatchObject({ code: 'unreachable', reason: 'breaker_open' });
    await probe;
    expect(control.calls('process')).toHaveLength(1);
  });

  test('is not what a series of refusals means', async () => {
    await using peer = await openPeer({ deadlines: noRetries });
    const session = await newSession(peer.gateway);
    peer.simulator.control.fault('read-session', status(404), 20);
    for (let times = 0; times < 20; times += 1) await faultOf(peer.gateway.readSession(session));

    await expect(peer.gateway.readSession(session)).resolves.toMatchObject({ id: session });
  });
});
