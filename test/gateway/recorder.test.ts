import { mkdirSync, readFileSync, renameSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { SeenExchange } from '../../src/gateway/exchange.js';
import { newRecording, recorderFor } from '../support/recording.js';
import { openPeer, sessionRequest, unhurried } from './support.js';

const seen: SeenExchange = {
  exchange: { call: 'read-session', method: 'GET', url: 'https://pay.example/', id: 'cs_1', deadlineMs: 1 },
  at: Date.UTC(2026, 10, 21),
  ms: 3,
  outcome: { fault: { code: 'timeout', reason: 'ERR_CANCELED' } },
};

describe('the recorder', () => {
  test('writes each exchange as one line, for the owner of the file alone', async () => {
    await using recording = await newRecording();
    const recorder = recorderFor(recording.path);

    recorder.witness(seen);
    await recorder.settled();

    expect(recording.lines()).toEqual([
      {
        v: 1,
        at: '2026-11-21T00:00:00.000Z',
        call: 'read-session',
        ms: 3,
        request: { method: 'GET', path: '/checkout/v1/sessions/{id}', id: expect.stringContaining('‹id ') },
        fault: { code: 'timeout', reason: 'ERR_CANCELED' },
      },
    ]);
    expect(statSync(recording.path).mode & 0o777).toBe(0o600);
  });

  test('writes whole lines of 64 calls at once, by two processes', async () => {
    await using recording = await newRecording();
    const recorders = [recorderFor(recording.path), recorderFor(recording.path)];
    const open = (index: number) =>
      openPeer({ deadlines: unhurried, onExchange: recorders[index]?.witness ?? (() => {}) });
    await using one = await open(0);
    await using other = await open(1);

    await Promise.all(
      Array.from({ length: 32 }, (_, number) =>
        [one, other].map(({ gateway }) =>
          gateway.startSession(sessionRequest({ reference: `TG-${number}` }), Date.now()),
        ),
      ).flat(),
    );
    await Promise.all(recorders.map((recorder) => recorder.settled()));

    const lines = recording.lines();
    expect(lines).toHaveLength(64);
    expect(new Set(lines.map(({ request }) => request.body.external_id)).size).toBe(32);
  });

  test('begins a new line after the half one of a process that died', async () => {
    await using recording = await newRecording();
    writeFileSync(recording.path, '{"v":1,"at":"20');
    const recorder = recorderFor(recording.path);

    recorder.witness(seen);
    await recorder.settled();

    expect(recording.text()).toMatch(/^\{"v":1,"at":"20\n\{"v":1,.*\}\n$/);
  });

  test('stops at a file that is full, says so once, and goes on when it is moved away', async () => {
    await using recording = await newRecording();
    const recorder = recorderFor(recording.path, { mostBytes: 500 });

    for (let times = 0; times < 5; times += 1) {
      recorder.witness(seen);
      await recorder.settled();
    }
    const full = statSync(recording.path).size;
    renameSync(recording.path, `${recording.path}.1`);
    recorder.witness(seen);
    await recorder.settled();

    expect(full).toBeLessThanOrEqual(500);
    expect(recorder.logged).toEqual(['exchanges_not_recorded full']);
    expect(recording.lines()).toHaveLength(1);
  });

  test('that cannot write says so once, and writes again when it can', async () => {
    await using recording = await newRecording();
    mkdirSync(recording.path);
    const recorder = recorderFor(recording.path);

    for (let times = 0; times < 3; times += 1) {
      recorder.witness(seen);
      await recorder.settled();
    }
    rmdirSync(recording.path);
    recorder.witness(seen);
    await recorder.settled();

    expect(recorder.logged).toEqual(['exchanges_not_recorded Error:EISDIR']);
    expect(recording.lines()).toHaveLength(1);
  });

  test.each(['/dev/full', '/no/such/place.jsonl'])('before %s lets every call through', async (path) => {
    const recorder = recorderFor(path);
    await using peer = await openPeer({ deadlines: unhurried, onExchange: recorder.witness });

    const session = await peer.gateway.startSession(sessionRequest(), Date.now());
    const evidence = await peer.gateway.readSession(session.id);
    await recorder.settled();

    expect([session.kind, evidence.reading]).toEqual(['open', 'pending']);
    expect(recorder.logged).toHaveLength(1);
  });

  test('keeps no more waiting than a disk that still works would', async () => {
    await using recording = await newRecording();
    const recorder = recorderFor(recording.path);

    for (let times = 0; times < 2000; times += 1) recorder.witness(seen);
    await recorder.settled();

    expect(recording.lines()).toHaveLength(500);
    expect(recorder.logged).toEqual(['exchanges_not_recorded too_slow']);
  });

  test('sees what was sent and answered before anything is made of it', async () => {
    await using recording = await newRecording();
    const recorder = recorderFor(recording.path);
    await using peer = await openPeer({ deadlines: unhurried, onExchange: recorder.witness });
    const { control } = peer.simulator;
    control.fault('read-session', { kind: 'raw', body: '<h1>oops</h1>', contentType: 'text/html' }, 1);
    control.fault('read-session', { kind: 'status', status: 500, body: { error: { code: 'down' } } }, 1);
    control.fault('read-session', { kind: 'drop', when: 'before' }, 1);

    await peer.gateway.readSession('cs_1').catch(() => undefined);
    await recorder.settled();

    expect(recording.lines().map(({ answer, fault }) => answer?.text ?? answer?.json ?? fault?.code)).toEqual(
      ['<h1>xxxx</h1>', { error: { code: 'down' } }, 'connection_lost'],
    );
    expect(readFileSync(recording.path, 'utf8')).not.toContain('cs_1');
  });
});
