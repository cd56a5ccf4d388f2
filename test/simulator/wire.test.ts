import { describe, expect, test } from '@jest/globals';
import type { Simulator } from '../../src/simulator/simulator.js';
import {
  call,
  cards,
  newPayment,
  newSession,
  page,
  pageIn,
  paymentBody,
  receiver,
  sessionBody,
  start,
  until,
} from './support.js';

const apiKey = 'key_planted_for_the_wire';
const authorization = { Authorization: `Token ${apiKey}` };

interface Row {
  readonly id: number;
  readonly kind: string;
  readonly tone: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** What a reader of the stream has heard so far. */
interface Listener extends AsyncDisposable {
  readonly rows: Row[];
  /** The ids of the events, as a browser would send the last one back. */
  readonly ids: string[];
  readonly names: string[];
  readonly text: () => string;
  /** Settles when the stream is over, however it ended. */
  readonly over: Promise<string>;
}

async function listen(sim: Simulator, options: { last?: string; query?: string } = {}): Promise<Listener> {
  const leaving = new AbortController();
  const response = await fetch(`${sim.url}/wire/events${options.query ?? ''}`, {
    headers: options.last === undefined ? {} : { 'Last-Event-ID': options.last },
    signal: leaving.signal,
  });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream\b/);
  const heard = { rows: [] as Row[], ids: [] as string[], names: [] as string[] };
  let text = '';
  const read = async () => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of response.body ?? []) {
      const piece = decoder.decode(chunk as Uint8Array, { stream: true });
      text += piece;
      const blocks = (rest + piece).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) keep(block, heard);
    }
  };
  const over = read().then(
    () => 'ended',
    () => 'broken off',
  );
  const close = async () => {
    leaving.abort();
    await over;
  };
  return { ...heard, text: () => text, over, [Symbol.asyncDispose]: close };
}

function keep(block: string, heard: Pick<Listener, 'rows' | 'ids' | 'names'>): void {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const [id, event, data] = [field('id'), field('event'), field('data')];
  if (id !== undefined) heard.ids.push(id);
  if (event !== undefined) heard.names.push(event);
  else if (data !== undefined) heard.rows.push(JSON.parse(data));
}

/** The latest news of each exchange, in the order in which they began. */
function latest({ rows }: Listener): readonly Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].sort((one, other) => one.id - other.id);
}

const ended = (listener: Listener, count: number) =>
  latest(listener).filter(({ tone }) => tone !== 'open').length === count;

describe('the wire view', () => {
  test('shows a call with its answer and a webhook with the shop’s, in order', async () => {
    await using hooks = await receiver();
    await using sim = await start({ webhook: { url: hooks.url, auth: { scheme: 'none' } } });
    await using listener = await listen(sim);

    const session = await newSession(sim);
    await until(() => ended(listener, 2));

    const [sent, told] = latest(listener);
    expect(sent).toMatchObject({ kind: 'call', tone: 'good' });
    expect(sent?.texts).toMatchObject({
      way: 'tienda → servicio',
      method: 'POST',
      path: '/checkout/v1/sessions',
      status: '201',
      ms: expect.stringMatching(/^[\d.]+ ms$/),
      time: expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3}$/),
    });
    expect(JSON.parse(sent?.texts['sent'] ?? '')).toMatchObject({ external_id: 'ORD-1' });
    expect(JSON.parse(sent?.texts['answer'] ?? '')).toMatchObject({ id: session.id, url: session.url });
    expect(told).toMatchObject({ kind: 'webhook', tone: 'good' });
    expect(told?.texts).toMatchObject({
      way: 'servicio → tienda',
      path: '/hooks',
      event: 'session.created',
      status: '200',
    });
  });

  test('is a page that needs no script, in both languages, and leads on from the start page', async () => {
    await using sim = await start();
    const { id } = await newSession(sim);

    const { text, headers } = await page(sim, '/wire');

    for (const part of [id, 'ORD-1', 'tienda → servicio', '>201<', 'href="/wire"'])
      expect(text).toContain(part);
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\son[a-z]+=|\sstyle=/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await pageIn('en', { sim, address: '/wire' })).text).toContain('shop → service');
    expect((await page(sim, '/')).text).toContain('href="/wire"');
  });

  test('escapes what the shop sent', async () => {
    await using sim = await start();
    await newSession(sim, { external_id: '</pre><script>alert(1)</script>' });

    expect((await page(sim, '/wire')).text).not.toContain('<script>alert');
  });

  test('shows a call to an address that there is not, which counts as no call of the service', async () => {
    await using sim = await start();

    await call(sim, 'GET /api/v1/nowhere');

    const { text } = await page(sim, '/wire');
    expect(text).toContain('/api/v1/nowhere');
    expect(text).toContain('>404<');
    expect(sim.control.calls()).toEqual([]);
  });
});

describe('trouble on the wire', () => {
  test('a connection that was cut is marked, with the fault that did it', async () => {
    await using sim = await start();
    await using listener = await listen(sim, { query: '?lang=en' });
    sim.control.fault('create-session', { kind: 'drop', when: 'after' }, 1);

    await expect(newSession(sim)).rejects.toThrow();
    await until(() => ended(listener, 1));

    const [cut] = latest(listener);
    expect(cut?.tone).toBe('cut');
    expect(cut?.texts).toMatchObject({
      status: 'cut before the answer',
      fault: 'Fault played: Acts, then cuts the line',
      answer: '',
    });
    expect((await pageIn('en', { sim, address: '/wire' })).text).toContain('cut before the answer');
  });

  test('what was spoilt is shown as it was sent', async () => {
    await using sim = await start();
    const { id } = await newSession(sim);
    sim.control.fault('read-session', { kind: 'rewrite', set: { amount_total: 1 } }, 1);
    await using listener = await listen(sim);

    await call(sim, `GET /checkout/v1/sessions/${id}`);
    await until(() => ended(listener, 2));

    expect(latest(listener)[1]?.texts['answer']).toContain('"amount_total": 1\n');
  });

  test('a body beyond measure is kept in part', async () => {
    await using sim = await start();
    sim.control.fault('read-session', { kind: 'huge', bytes: 3_000_000 }, 1);
    await using listener = await listen(sim);

    await call(sim, 'GET /checkout/v1/sessions/x').catch(() => undefined);
    await until(() => ended(listener, 1));

    expect(latest(listener)[0]?.texts['answer']?.length).toBe(16_384);
  });

  test('a webhook that nobody took says why', async () => {
    await using sim = await start({ webhook: { url: 'http://127.0.0.1:9/', auth: { scheme: 'none' } } });
    await using listener = await listen(sim);

    await newSession(sim);
    await until(() => ended(listener, 2));

    expect(latest(listener)[1]).toMatchObject({ kind: 'webhook', tone: 'cut' });
    expect(latest(listener)[1]?.texts['status']).toMatch(/^sin respuesta: ./);
  });
});

describe('what the wire view never shows', () => {
  const orderToken = 'Zk3vQ9xWm2Lr8TnB5yHcUd';
  const shop = 'https://shop.example';

  test.each([
    ['bearer', { scheme: 'bearer', token: 'planted-credential' }],
    ['basic', { scheme: 'basic', user: 'shop', password: 'planted-credential' }],
    ['header', { scheme: 'header', name: 'X-API-Key', value: 'planted-credential' }],
  ] as const)('any secret, with %s webhooks', async (_scheme, auth) => {
    await using hooks = await receiver();
    await using sim = await start({ apiKey, webhook: { url: hooks.url, auth } });
    await using listener = await listen(sim);
    const post = async (path: string, body: unknown, headers: Record<string, string> = {}) =>
      (await call(sim, `POST ${path}`, { body, headers: { ...authorization, ...headers } })).body;

    const back = `${shop}/orders/${orderToken}?next=/checkout/return/${orderToken}`;
    const { access_token: access } = await post('/api/v1/tokenization/auth/', {});
    const card = { card_number: cards.declined, cardholder_name: 'PLANTED NAME', cvv: '907' };
    const tokens = await post(
      '/vault/v1/gateway/inboundRoutes/demo/token',
      { ...card, expiration_month: '11', expiration_year: '2039' },
      { 'X-Skyflow-Authorization': access },
    );
    const payment = paymentBody(sim, cards.success, { return_url: back });
    const signature = { 'X-Signature-Transaction': 'planted+signature/of=' };
    await post('/api/v1/process/', { ...payment, payment_method: { type: 'CARD', ...tokens } }, signature);
    const careless = { api_key: 'other_key', note: `${cards.challenge} and ${apiKey}`, pan: 1 };
    await post('/checkout/v1/sessions', sessionBody({ success_url: back, metadata: careless }));
    await post('/api/v1/process/', `{"card_number": "4000-1111-2222-3333", "note": "${cards.authorized}`);
    await call(sim, `GET /api/v1/transactions/${cards.insufficient.replace('4', '%34')}/?key=${apiKey}`);
    await until(() => ended(listener, 6 + hooks.heard.length) && hooks.heard.length === 2);

    const shown = listener.text() + (await page(sim, '/wire')).text;
    const planted = [
      ...[apiKey, 'planted-credential', Buffer.from('shop:planted-credential').toString('base64')],
      ...[access, 'planted+signature', orderToken, 'other_key', '4000-1111-2222-3333', 'PLANTED NAME'],
      ...Object.values(tokens as Record<string, string>),
      ...Object.values(cards),
      ...Object.values(cards).map((number) => number.slice(1, -4)),
    ];
    expect(planted.filter((secret) => shown.includes(secret))).toEqual([]);
    expect(shown).toContain(`${shop}/orders/Zk3v…`);
    expect(shown).toContain('[redacted]');
  });
});

describe('the stream', () => {
  test('goes on where a reader who comes back has stood', async () => {
    await using sim = await start();
    await newSession(sim);
    await using first = await listen(sim);
    await until(() => ended(first, 1));
    await first[Symbol.asyncDispose]();
    const { id } = await newPayment(sim);

    await using second = await listen(sim, { last: first.ids.at(-1) ?? '' });
    await until(() => ended(second, 1));

    expect(second.rows.map(({ texts }) => texts['path'])).toEqual(['/api/v1/process/']);
    expect(second.text()).toContain(id);
  });

  test('goes on after what the page shows', async () => {
    await using sim = await start();
    await newSession(sim);
    const { text } = await page(sim, '/wire');
    const [, address = ''] = /data-events="\/wire\/events([^"]+)"/.exec(text) ?? [];

    await using listener = await listen(sim, { query: address.replaceAll('&amp;', '&') });
    await newPayment(sim);
    await until(() => ended(listener, 1));

    expect(latest(listener).map(({ texts }) => texts['path'])).toEqual(['/api/v1/process/']);
  });

  test('tells a reader to forget what was forgotten, here or by a restart', async () => {
    await using sim = await start();
    await using listener = await listen(sim);
    sim.control.reset();
    await until(() => listener.names.includes('forget'));

    await using stranger = await listen(sim, { last: '0123abcd-99' });
    await newSession(sim);
    await until(() => ended(stranger, 1));

    expect(stranger.names).toEqual(['forget']);
  });

  test('tells no more than the latest, and all of these, however fast they come', async () => {
    await using sim = await start();
    const rounds = Array.from({ length: 250 }, (_, round) => round);
    for (const round of rounds) await call(sim, `GET /checkout/v1/sessions/${round}`);

    await using listener = await listen(sim);
    await until(() => ended(listener, 200));

    expect(latest(listener).at(-1)?.texts['path']).toBe('/checkout/v1/sessions/249');
    expect(sim.control.calls()).toHaveLength(250);
  });

  test('ends with the simulator, which does not wait for its readers', async () => {
    const sim = await start();
    await using listener = await listen(sim);
    await using other = await listen(sim);

    await sim.close();

    expect([await listener.over, await other.over]).toEqual(['ended', 'ended']);
  });
});
