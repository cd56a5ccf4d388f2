import { expect, test } from '@jest/globals';
import { until } from '../../../../test/support/crowd.js';
import type { Simulator } from '../../src/simulator/simulator.js';
import { apiKey, call, cards, createSession, page, paymentBody, sessionBody, start, startReceiver } from './support.js';

/** The rows of `/wire` as HTML, oldest first. */
async function rowsOf(sim: Simulator, language = 'es', path = '/wire'): Promise<readonly string[]> {
  const { text } = await page(sim, path, undefined, language);
  return text.split('<li class="exchange"').slice(1);
}

test('a call and a webhook are listed in order with path, status, duration and escaped body', async () => {
  await using receiver = await startReceiver();
  await using sim = await start({ webhook: { url: receiver.url, auth: { scheme: 'none' } } });
  const session = await createSession(sim, { external_id: '<script>alert(1)</script>' });
  await until(() => sim.control.deliveries()[0]?.state === 'delivered');

  const [sent, webhook] = await rowsOf(sim, 'en');

  for (const part of ['shop → gateway', 'POST', '/checkout/v1/sessions', '>201<', session.id])
    expect(sent).toContain(part);
  expect(sent).toMatch(/data-kind="call" data-tone="good"/);
  expect(sent).toMatch(/>\d\d:\d\d:\d\d\.\d{3}<.*>[\d.]+ ms</);
  expect(sent).not.toContain('<script>');
  expect(sent).toContain(`&#34;created_at&#34;: ${session.created_at}`);
  for (const part of ['gateway → shop', '/hooks', 'session.created', '>200<', 'data-kind="webhook"'])
    expect(webhook).toContain(part);
});

test('a session id that contains the digits of a card is listed whole', async () => {
  await using sim = await start();
  const id = `cs_11_195539962_${'ab'.repeat(16)}${cards.success}`;
  await call(sim, `GET /checkout/v1/sessions/${id}`);

  expect((await rowsOf(sim)).at(-1)).toContain(id);
});

test.each([
  ['bearer', { scheme: 'bearer', token: 'planted-credential' }],
  ['basic', { scheme: 'basic', user: 'shop', password: 'planted-credential' }],
  ['header', { scheme: 'header', name: 'X-Key', value: 'planted-credential' }],
] as const)('the list with %s webhooks contains no secret', async (_scheme, auth) => {
  await using receiver = await startReceiver();
  await using sim = await start({ webhook: { url: receiver.url, auth } });
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) =>
    (await call(sim, `POST ${path}`, { body, headers })).body;
  const orderToken = 'Zk3v9Qw2LmN8pRt5YxB7cD';
  const back = `http://localhost:9/orders/${orderToken}?next=/checkout/return/${orderToken}`;

  const { access_token: access } = await post('/api/v1/tokenization/auth/', {});
  const card = { card_number: cards.declined, cardholder_name: 'PLANTED NAME', cvv: '907' };
  const tokens = await post(
    '/vault/v1/gateway/inboundRoutes/demo/token',
    { ...card, expiration_month: '11', expiration_year: '2039' },
    { 'X-Skyflow-Authorization': access },
  );
  const payment_method = { type: 'CARD', ...tokens };
  const payment = paymentBody(sim, cards.success, { return_url: back, payment_method });
  await post('/api/v1/process/', payment, { 'X-Signature-Transaction': 'planted+signature/of=' });
  const metadata = { api_key: 'other_key', note: `${cards.challenge} and ${apiKey}`, pan: 1 };
  await post('/checkout/v1/sessions', sessionBody({ success_url: back, metadata }));
  await post('/api/v1/process/', `{"card_number": "4000-1111-2222-3333", "note": "${cards.authorized}`);
  await call(sim, `GET /api/v1/transactions/${cards.insufficient.replace('4', '%34')}/?key=${apiKey}`);
  await until(() => sim.control.deliveries().every(({ state }) => state === 'delivered'));

  const rows = await rowsOf(sim);

  const secrets = [
    ...[apiKey, 'planted-credential', Buffer.from('shop:planted-credential').toString('base64')],
    ...[access, 'planted+signature', orderToken, 'other_key', '4000-1111-2222-3333', 'PLANTED NAME'],
    ...Object.values(tokens as Record<string, string>),
    ...Object.values(cards).map((number) => number.slice(1, -4)),
  ];
  expect(rows).toHaveLength(6 + receiver.received.length);
  expect(secrets.filter((secret) => rows.join('').includes(secret))).toEqual([]);
  expect(rows.join('')).toContain('http://localhost:9/orders/Zk3v…');
});
