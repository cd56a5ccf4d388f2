import { describe, expect, jest, test } from '@jest/globals';
import type { GatewayErrorCode } from '../../src/gateway/errors.js';
import type { Fault } from '../../tools/simulator/faults.js';
import {
  API_KEY,
  CALLS,
  errorOf,
  everythingIn,
  faultOf,
  NOT_PROCESS,
  newPayment,
  newSession,
  noRetries,
  openGateway,
  openPeer,
  patient,
  paymentRequest,
  within,
} from './support.js';

// Deadlines are real time here: a machine that stands still for a while breaks them, and not three times in a row.
jest.retryTimes(2);

interface Expected {
  readonly code: GatewayErrorCode;
  /** What a card payment comes to: proven not to have happened, or anybody's guess. */
  readonly process: 'refused' | 'unknown';
}

const lost: Expected = { code: 'connection_lost', process: 'unknown' };
const late: Expected = { code: 'timeout', process: 'unknown' };
const ill: Expected = { code: 'server_error', process: 'unknown' };
const bad: Expected = { code: 'bad_answer', process: 'unknown' };
const key: Expected = { code: 'unauthorized', process: 'refused' };
const gone: Expected = { code: 'not_found', process: 'refused' };
const refused: Expected = { code: 'refused', process: 'refused' };
const limited: Expected = { code: 'rate_limited', process: 'refused' };

/** The gateway is careless enough to send our own key back. */
const echo = { error: { code: 'oops', message: `Token ${API_KEY}` } };
const status = (code: number): Fault => ({ kind: 'status', status: code, body: echo });
const raw = (body: string, contentType = 'application/json'): Fault => ({ kind: 'raw', body, contentType });

const FAULTS: readonly (readonly [string, Fault, Expected])[] = [
  ['comes a minute late', { kind: 'latency', ms: 60_000 }, late],
  ['drips in', { kind: 'drip', bytesPerSecond: 20 }, late],
  ['never comes', { kind: 'hang' }, late],
  ['never comes although it was done', { kind: 'hang', apply: true }, late],
  ['is a cut before the effect', { kind: 'drop', when: 'before' }, lost],
  ['is a cut after the effect', { kind: 'drop', when: 'after' }, lost],
  ['is 500', status(500), ill],
  ['is 500 although it was done', { kind: 'status', status: 500, apply: true }, ill],
  ['is 502', status(502), ill],
  ['is 503', status(503), ill],
  ['is 504', status(504), ill],
  ['is 408', status(408), ill],
  ['is 409', status(409), ill],
  ['is 401', status(401), key],
  ['is 403', status(403), key],
  ['is 404', status(404), gone],
  ['is 400', status(400), refused],
  ['is 422', status(422), refused],
  ['is 429', { kind: 'status', status: 429, headers: { 'Retry-After': '60' } }, limited],
  ['is 304', status(304), bad],
  ['is a redirect', { kind: 'redirect', location: '/api/v1/transactions/followed/' }, bad],
  ['is cut JSON', raw('{"id":"1","status":'), bad],
  ['is empty', raw(''), bad],
  ['is a page', raw('<!doctype html><h1>Bad gateway</h1>', 'text/html'), bad],
  ['begins with a byte order mark', raw('\ufeff{"id":"1","status":"completed"}'), bad],
  ['ends with garbage', raw('{"id":"1","status":"completed"} x'), bad],
  ['holds NaN', raw('{"id":"1","status":"completed","amount":NaN}'), bad],
  ['is null', raw('null'), bad],
  ['is a list', raw('[]'), bad],
  ['is a text', raw('"completed"'), bad],
  ['is a number', raw('1'), bad],
  ['is an empty object', raw('{}'), bad],
  ['is huge', { kind: 'huge', bytes: 5_000_000 }, bad],
  ['unpacks to something huge', { kind: 'gzip-bomb', bytes: 5_000_000 }, bad],
];

/** Of a call that may be repeated. */
const MOST_TRIES = 3;

describe.each(FAULTS)('an answer that %s', (_what, fault, expected) => {
  test('ends every call in time with its own fault, tells no secret, and harms no later call', async () => {
    await using peer = await openPeer();
    const { control } = peer.simulator;
    const ids = { session: await newSession(peer.gateway), payment: await newPayment(peer) };
    // Only what never comes is given up soon: a slow machine must not make one fault of another.
    const deadlines = expected === late ? noRetries : patient;
    const peers = NOT_PROCESS.map((call) => ({
      call,
      gateway: openGateway(peer.simulator.url, { deadlines }),
    }));
    for (const call of NOT_PROCESS) control.fault(call, fault);
    const before = control.calls().length;

    const errors = await within(
      deadlines.read + 1500,
      Promise.all(peers.map(({ call, gateway }) => faultOf(CALLS[call]({ ...peer, gateway }, ids)))),
    );

    control.clearFaults();
    expect(errors.map(({ code }) => code)).toEqual(NOT_PROCESS.map(() => expected.code));
    expect(errors.map(everythingIn).join('\n')).not.toContain(API_KEY);
    const asked = control.calls().length - before;
    expect(asked).toBeGreaterThanOrEqual(NOT_PROCESS.length);
    expect(asked).toBeLessThanOrEqual(NOT_PROCESS.length * MOST_TRIES);
    if (expected !== limited) {
      for (const { call, gateway } of peers) await CALLS[call]({ ...peer, gateway }, ids);
    }
    for (const { gateway } of peers) gateway[Symbol.dispose]();
  });

  test('leaves a card payment sent once and never again, and says what is known of it', async () => {
    // Time enough for a second try, if anybody were to make one.
    const deadlines = expected === late ? noRetries : patient;
    await using peer = await openPeer({ deadlines });
    const { control } = peer.simulator;
    control.fault('process', fault);

    const processed = await peer.gateway.processPayment(paymentRequest(peer.simulator));

    const error = errorOf(processed);
    expect({ kind: processed.kind, code: error?.code }).toEqual({
      kind: expected.process,
      code: expected.code,
    });
    expect(error && everythingIn(error)).not.toContain(API_KEY);
    expect(control.calls('process')).toHaveLength(1);
    if (processed.kind === 'refused') expect(control.ledger()).toEqual([]);
    control.clearFaults();
    if (expected !== limited) await newPayment(peer);
  });
});
