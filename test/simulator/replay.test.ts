import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { movedAmount } from '../../src/simulator/present-values.js';
import { call, newSession, page, pageIn, sessionBody, start } from './support.js';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, seconds)).toISOString();
const json = (body: unknown, status = 200) => ({ answer: { status, headers: {}, bytes: 1, json: body } });

/** As a shop records them: an order with this name, its session and what the lookups said. */
function conversation(name: string, seconds: number, lookups: readonly object[]): readonly object[] {
  const request = { body: { amount_total: 100, external_id: `‹id ${name}›` } };
  const id = `‹id cs ${name}›`;
  const session = { id, url: '‹page address of 40›', amount_total: 100, external_id: `‹id ${name}›` };
  return [
    { v: 1, at: at(seconds), call: 'create-session', ms: 5, request, ...json(session, 201) },
    ...lookups.map((ending, index) => ({
      ...{ v: 1, at: at(seconds + 1 + index), call: 'read-session', ms: 400 },
      ...{ request: { id }, ...ending },
    })),
  ];
}

const folder = mkdtempSync(join(tmpdir(), 'tianguis-replay-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function recordingOf(...lines: readonly unknown[]): string {
  const path = join(mkdtempSync(join(folder, 'of-')), 'exchanges.jsonl');
  writeFileSync(
    path,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  );
  return path;
}

const playing = (...lines: readonly unknown[]) => start({ replay: { path: recordingOf(...lines) } });
const said = (word: string) => json({ id: '‹id cs a›', status: word, amount_total: 101 });

describe('a simulator that plays a recording', () => {
  test('answers in recorded order, with the ids and amounts of now, and then the last answer again', async () => {
    await using sim = await playing(...conversation('a', 0, [said('first'), said('second')]));
    const session = await newSession(sim, { amount_total: 24_990, external_id: 'NOW-1' });
    const read = async () => (await call(sim, `GET /checkout/v1/sessions/${session.id}`)).body;

    expect(session).toEqual({
      id: sim.control.sessions()[0]?.id,
      url: `${sim.url}/checkout/${session.id}`,
      amount_total: 24_990,
      external_id: 'NOW-1',
    });
    expect(await read()).toEqual({ id: session.id, status: 'first', amount_total: 24_991 });
    expect((await read()).status).toBe('second');
    expect((await read()).status).toBe('second');
  });

  test('leads each new order through the next recorded one, and those after the last through the last', async () => {
    const lines = [...conversation('b', 60, [said('of b')]), ...conversation('a', 0, [said('of a')])];
    await using sim = await playing(...lines);
    const words: string[] = [];

    for (const external_id of ['NOW-1', 'NOW-2', 'NOW-3']) {
      const { id } = await newSession(sim, { external_id });
      words.push((await call(sim, `GET /checkout/v1/sessions/${id}`)).body.status);
    }

    expect(words).toEqual(['of a', 'of b', 'of b']);
  });

  test('answers by itself what is not recorded', async () => {
    await using sim = await playing(...conversation('a', 0, []));
    const { id } = await newSession(sim);

    expect((await call(sim, `GET /checkout/v1/sessions/${id}`)).body.status).toBe('pending');
    expect((await call(sim, 'POST /api/v1/tokenization/auth/')).body.access_token).toEqual(
      expect.any(String),
    );
    expect((await call(sim, 'GET /checkout/v1/sessions/cs_unknown')).status).toBe(404);
  });

  test('never makes JSON of what was none', async () => {
    const html = { 'content-type': 'text/html' };
    const shape = { answer: { status: 200, headers: html, bytes: 2, text: '{}' } };
    await using sim = await playing(...conversation('a', 0, [shape]));
    const { id } = await newSession(sim);

    const { body } = await call(sim, `GET /checkout/v1/sessions/${id}`);

    expect(() => JSON.parse(body)).toThrow(SyntaxError);
  });

  test('names the session of another order where the service did', async () => {
    const [first, second] = [conversation('a', 0, []), conversation('b', 60, [])];
    await using sim = await playing(first[0], { ...second[0], answer: Object(first[0]).answer });

    const one = await newSession(sim, { external_id: 'NOW-1' });
    const other = await newSession(sim, { external_id: 'NOW-2' });

    expect([other.id, other.external_id]).toEqual([one.id, 'NOW-1']);
    expect(sim.control.sessions()).toHaveLength(1);
  });

  test('lets a planned fault go first', async () => {
    await using sim = await playing(...conversation('a', 0, [said('recorded')]));
    const { id } = await newSession(sim);
    sim.control.fault('read-session', { kind: 'status', status: 503 }, 1);

    const answers = [
      await call(sim, `GET /checkout/v1/sessions/${id}`),
      await call(sim, `GET /checkout/v1/sessions/${id}`),
    ];

    expect(answers.map(({ status }) => status)).toEqual([503, 200]);
  });

  test('begins again when it is put back to its start', async () => {
    const lines = [...conversation('a', 0, [said('of a')]), ...conversation('b', 60, [said('of b')])];
    await using sim = await playing(...lines);
    const read = async (external_id: string) => {
      const { id } = await newSession(sim, { external_id });
      return (await call(sim, `GET /checkout/v1/sessions/${id}`)).body.status;
    };
    const before = await read('NOW-1');
    sim.control.reset();

    expect([before, await read('NOW-2')]).toEqual(['of a', 'of a']);
  });

  test('sends no messages, which would make a shop look once more than it did then', async () => {
    const path = recordingOf(...conversation('a', 0, []));
    const webhook = { url: 'http://localhost:9/', auth: { scheme: 'none' } } as const;
    await using sim = await start({ replay: { path }, webhook });
    const { id } = await newSession(sim);

    sim.control.paySession(id);
    sim.control.reset();
    sim.control.expireSession((await newSession(sim, { external_id: 'NOW-2' })).id);

    expect(new Set(sim.control.deliveries().map(({ state }) => state))).toEqual(new Set(['not-sent']));
  });

  test('waits as long as the service did then, up to what is wished', async () => {
    const path = recordingOf(...conversation('a', 0, [said('slow')]));
    await using sim = await start({ replay: { path, mostDelayMs: 250 } });
    const { id } = await newSession(sim);
    const startedAt = performance.now();

    await call(sim, `GET /checkout/v1/sessions/${id}`);

    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(249);
  });

  test('is as good as new without its last, torn line', async () => {
    await using sim = await playing(...conversation('a', 0, [said('whole')]), '{"v":1,"at":"20');

    expect((await newSession(sim)).external_id).toBe(sessionBody()['external_id']);
  });

  test('tells at its start page what it plays, and which order took it', async () => {
    const stray = conversation('b', 0, [said('x')])[1];
    await using sim = await playing(
      ...conversation('a', 0, [said('odd'), { fault: { code: 'timeout' } }]),
      stray,
    );
    await newSession(sim, { external_id: 'NOW-1' });

    const spanish = await page(sim, '/');
    const english = await pageIn('en', { sim, address: '/' });

    expect(spanish.text).toContain('Se reproduce una grabación');
    expect(english.text).toContain('The service answers as in exchanges.jsonl');
    expect(english.text).toContain('Not used: 1 lookups');
    for (const shown of ['create-session 201', '200 odd · timeout', '<td>NOW-1</td>'])
      expect(english.text).toContain(shown);
  });

  test.each([
    ['nothing', [], 'holds no recorded exchange'],
    ['lines of another version', [{ v: 2 }], 'line 1: v'],
    ['an exchange without an end', [{ v: 1, at: at(0), call: 'access-token', ms: 1, request: {} }], 'line 1'],
  ])('does not start with %s', async (_what, lines, problem) => {
    await expect(playing(...lines)).rejects.toThrow(problem);
  });
});

test('a simulator that plays nothing says nothing of it', async () => {
  await using sim = await start();

  expect((await page(sim, '/')).text).not.toContain('grabación');
});

test.each([
  [100, 100, 24_990, 24_990],
  [99, 100, 24_990, 24_989],
  [-100, 100, 24_990, 24_790],
  [289.01, 289, 50.5, 50.51],
  ['289.0000', 289, 50.5, '50.5000'],
  ['289.001', 289, 50.5, '50.501'],
  ['289', 289, 50.5, '50.5'],
  ['289,00', 289, 50.5, '289,00'],
] as const)('the amount %p, when %p was asked for, is now for %p: %p', (...[value, before, after, now]) => {
  expect(movedAmount(value, { before, after })).toBe(now);
});
