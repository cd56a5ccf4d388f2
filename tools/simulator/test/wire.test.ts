import { describe, expect, test } from '@jest/globals';
import type { Simulator } from '../simulator.js';
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

/** The rows of `/wire` as text with their attributes, oldest first. */
async function rowsOf(sim: Simulator, lang = 'es'): Promise<readonly string[]> {
  const { text } = await pageIn(lang, { sim, address: '/wire' });
  return text.split('<li class="exchange"').slice(1);
}

describe('the list of calls', () => {
  test('shows a call with its response and a webhook with the shop’s status, in order', async () => {
    await using hooks = await receiver();
    await using sim = await start({ webhook: { url: hooks.url, auth: { scheme: 'none' } } });

    const session = await newSession(sim);
    await until(() => sim.control.deliveries()[0]?.state === 'delivered');

    const [sent, webhook] = await rowsOf(sim);
    for (const part of ['tienda → servicio', 'POST', '/checkout/v1/sessions', '>201<', 'ORD-1', session.id])
      expect(sent).toContain(part);
    expect(sent).toMatch(/data-kind="call" data-tone="good"/);
    expect(sent).toMatch(/>\d\d:\d\d:\d\d\.\d{3}<.*>[\d.]+ ms</);
    expect(webhook).toMatch(/data-kind="webhook" data-tone="good"/);
    for (const part of ['servicio → tienda', '/hooks', 'session.created', '>200<'])
      expect(webhook).toContain(part);
  });

  test('is a page that needs no script, in both languages, linked from the start page', async () => {
    await using sim = await start();
    await newSession(sim);

    const { text, headers } = await page(sim, '/wire');

    expect(text).toContain('href="/wire"');
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\son[a-z]+=|\sstyle=/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await rowsOf(sim, 'en'))[0]).toContain('shop → service');
    expect((await page(sim, '/')).text).toContain('href="/wire"');
  });

  test('escapes what the shop sent', async () => {
    await using sim = await start();
    await newSession(sim, { external_id: '</pre><script>alert(1)</script>' });

    expect((await page(sim, '/wire')).text).not.toContain('<script>alert');
  });

  test('shows a call to an unknown address, which is no call of the gateway', async () => {
    await using sim = await start();

    await call(sim, 'GET /api/v1/nowhere');

    const [row] = await rowsOf(sim);
    expect(row).toContain('/api/v1/nowhere');
    expect(row).toContain('>404<');
    expect(sim.control.calls()).toEqual([]);
  });

  test('has the last 100 calls, and no call after a reset', async () => {
    await using sim = await start();
    for (let round = 0; round < 120; round += 1) await call(sim, `GET /checkout/v1/sessions/${round}`);

    const rows = await rowsOf(sim);
    sim.control.reset();

    expect(rows).toHaveLength(100);
    expect(rows.at(-1)).toContain('/checkout/v1/sessions/119');
    expect(await rowsOf(sim)).toEqual([]);
  });
});

describe('a fault in the list', () => {
  test('of a cut connection is named', async () => {
    await using sim = await start();
    sim.control.fault('create-session', { kind: 'drop', when: 'after' }, 1);

    await expect(newSession(sim)).rejects.toThrow();

    const [row] = await rowsOf(sim, 'en');
    expect(row).toContain('data-tone="cut"');
    expect(row).toContain('cut before the answer');
    expect(row).toContain('Fault played: Acts, then cuts the line');
  });

  test('of a rewritten response shows what was sent', async () => {
    await using sim = await start();
    const { id } = await newSession(sim);
    sim.control.fault('read-session', { kind: 'rewrite', set: { amount_total: 1 } }, 1);

    await call(sim, `GET /checkout/v1/sessions/${id}`);

    expect((await rowsOf(sim))[1]).toContain('&#34;amount_total&#34;: 1\n');
  });

  test('of a huge response shows 16 kB of it', async () => {
    await using sim = await start();
    sim.control.fault('read-session', { kind: 'huge', bytes: 3_000_000 }, 1);

    await call(sim, 'GET /checkout/v1/sessions/x').catch(() => undefined);

    const [, body = ''] =
      /\{(?:&#34;|")id(?:&#34;|"):(?:&#34;|")(a+)/.exec((await rowsOf(sim))[0] ?? '') ?? [];
    expect(body.length).toBe(16_384 - '{"id":"'.length);
  });

  test('of a webhook without a response has the reason', async () => {
    await using sim = await start({ webhook: { url: 'http://127.0.0.1:9/', auth: { scheme: 'none' } } });

    await newSession(sim);
    await until(() => sim.control.deliveries()[0]?.attempts.length === 1);

    expect((await rowsOf(sim))[1]).toMatch(/data-tone="cut"[\s\S]*sin respuesta: ./);
  });
});

describe('the list shows no', () => {
  const shop = 'http://localhost:9';
  const orderToken = 'Zk3v9Qw2LmN8pRt5YxB7cD';

  test.each([
    ['bearer', { scheme: 'bearer', token: 'planted-credential' }],
    ['basic', { scheme: 'basic', user: 'shop', password: 'planted-credential' }],
    ['header', { scheme: 'header', name: 'X-Key', value: 'planted-credential' }],
  ] as const)('secret, with %s webhooks', async (_scheme, auth) => {
    await using hooks = await receiver();
    await using sim = await start({ apiKey, webhook: { url: hooks.url, auth } });
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
    await until(() => sim.control.deliveries().every(({ state }) => state === 'delivered'));

    const rows = await rowsOf(sim);
    const shown = rows.join('');
    const planted = [
      ...[apiKey, 'planted-credential', Buffer.from('shop:planted-credential').toString('base64')],
      ...[access, 'planted+signature', orderToken, 'other_key', '4000-1111-2222-3333', 'PLANTED NAME'],
      ...Object.values(tokens as Record<string, string>),
      ...Object.values(cards),
      ...Object.values(cards).map((number) => number.slice(1, -4)),
    ];
    expect(rows).toHaveLength(6 + hooks.heard.length);
    expect(planted.filter((secret) => shown.includes(secret))).toEqual([]);
    expect(shown).toContain(`${shop}/orders/Zk3v…`);
    expect(shown).toContain('[redacted]');
  });

  test('time in milliseconds masked as a card number', async () => {
    await using sim = await start();
    const { created_at } = await newSession(sim);
    await newPayment(sim);

    expect((await rowsOf(sim))[0]).toContain(`&#34;created_at&#34;: ${created_at}`);
  });
});
