/** Details of the gateway's API that integrations meet: rate limits, unknown addresses, the business lookup. */
import { describe, expect, test } from '@jest/globals';
import { call, cards, paymentBody, start } from './support.js';

const process = 'POST /api/v1/process/';
const business = (key: string) => `GET /api/v1/payments/business/${key}`;

describe('the rate limit headers', () => {
  test.each([
    ['a payment', process, 201],
    ['a refused payment', process, 400],
    ['a transaction that does not exist', 'GET /api/v1/transactions/unknown/', 404],
    ['a session that does not exist', 'GET /checkout/v1/sessions/unknown', 404],
    ['an unknown address', 'GET /api/v1/nothing', 404],
  ])('stand on the answer to %s (%s, %i)', async (_what, route, expected) => {
    await using sim = await start();
    const body = expected === 201 ? paymentBody(sim) : expected === 400 ? {} : undefined;

    const { status, headers } = await call(sim, route, body === undefined ? {} : { body });

    expect(status).toBe(expected);
    expect(headers.get('X-RateLimit-Limit')).toMatch(/^\d+$/);
    expect(headers.get('X-RateLimit-Remaining')).toMatch(/^\d+$/);
    const secondsLeft = Number(headers.get('X-RateLimit-Reset')) - Date.now() / 1000;
    expect(secondsLeft).toBeGreaterThan(-1);
    expect(secondsLeft).toBeLessThanOrEqual(60);
  });

  test('count 100 payments and 300 other calls a minute, and start again with the next minute', async () => {
    await using sim = await start();
    // Starts at the beginning of a minute, so that all calls are in one rate limit window.
    sim.control.advanceClock(60_000 - (Date.now() % 60_000));
    const remaining = async (route: string) =>
      Number((await call(sim, route, { body: paymentBody(sim) })).headers.get('X-RateLimit-Remaining'));

    expect([await remaining(process), await remaining(process)]).toEqual([99, 98]);
    const { headers } = await call(sim, 'GET /checkout/v1/sessions/unknown');
    expect([headers.get('X-RateLimit-Limit'), headers.get('X-RateLimit-Remaining')]).toEqual(['300', '299']);
    sim.control.advanceClock(60_000);
    expect(await remaining(process)).toBe(99);
  });
});

test.each([
  ['GET /api'],
  ['GET /api/v1'],
  ['GET /api/v2/transactions/1/'],
  ['POST /api/v1/process'],
  ['GET /api/v1/process/'],
  ['POST /checkout/v2/sessions'],
  ['GET /checkout/v1/sessions'],
  ['DELETE /checkout/v1/sessions/1'],
  ['GET /vault/v2/nothing'],
  ['GET /api/v1/transactions/%ff/'],
])('an unknown API address, %s, is answered in JSON', async (route) => {
  await using sim = await start();

  const { status, body, headers } = await call(sim, route);

  expect(headers.get('content-type')).toContain('application/json');
  expect(status).toBe(route.includes('%ff') ? 400 : 404);
  expect(body).toMatchObject({ error: { code: expect.any(String) }, request_id: expect.any(String) });
});

test.each(['CARD', 'card', 'Card'])('a payment method of type %s is a card', async (type) => {
  await using sim = await start();
  const body = { ...paymentBody(sim), payment_method: { type, ...sim.control.tokenizeCard(cards.success) } };

  expect((await call(sim, process, { body })).status).toBe(201);
});

describe('the business lookup', () => {
  const apiKey = 'test_key_of_a_business';
  const headers = { Authorization: `Token ${apiKey}` };

  test('in the public-docs profile answers the minimum that the web client needs', async () => {
    await using sim = await start({ apiKey, profile: 'public-docs' });

    const { status, body } = await call(sim, business(apiKey), { headers });

    expect(status).toBe(200);
    expect(body).toEqual({
      business: { pk: expect.any(Number), name: expect.any(String) },
      cardonfile_keys: null,
      vault_id: expect.any(String),
      vault_url: expect.stringMatching(/^https?:\/\//),
    });
  });

  test('refuses a wrong key and another business', async () => {
    await using sim = await start({ apiKey, profile: 'public-docs' });

    expect((await call(sim, business(apiKey), { headers: { Authorization: 'Token x' } })).status).toBe(401);
    expect((await call(sim, business('another'), { headers })).status).toBe(404);
  });

  test('in the interface profile does not exist', async () => {
    await using sim = await start({ apiKey });

    expect((await call(sim, business(apiKey), { headers })).status).toBe(404);
  });

  test('shows no key on the wire page', async () => {
    await using sim = await start({ apiKey, profile: 'public-docs' });
    await call(sim, business(apiKey), { headers });

    const text = await (await fetch(`${sim.url}/wire`)).text();

    expect(text).toContain('/api/v1/payments/business/');
    expect(text).not.toContain(apiKey);
  });
});

describe('a decline with HTTP 402', () => {
  test.each([
    [cards.declined, 'card_declined', 'BH01'],
    [cards.insufficient, 'insufficient_funds', 'CH01'],
  ])(
    'in the public-docs profile of card %s is the documented error %s, without a payment id',
    async (card, code, declineCode) => {
      await using sim = await start({ profile: 'public-docs' });
      sim.control.settings({ declineHttpStatus: 402 });

      const { status, body } = await call(sim, process, { body: paymentBody(sim, card) });

      expect(status).toBe(402);
      expect(body).toEqual({
        error: {
          code,
          message: expect.any(String),
          type: 'request_error',
          details: { decline_code: declineCode },
        },
        request_id: expect.any(String),
      });
      expect(sim.control.payments()).toMatchObject([{ status: 'declined' }]);
      expect(sim.control.ledger()).toEqual([]);
    },
  );

  test('in the public-docs profile is repeated for the same X-Request-Id', async () => {
    await using sim = await start({ profile: 'public-docs' });
    sim.control.settings({ declineHttpStatus: 402 });
    const body = paymentBody(sim, cards.declined);
    const headers = { 'X-Request-Id': 'one-request' };

    const [first, second] = [
      await call(sim, process, { body, headers }),
      await call(sim, process, { body, headers }),
    ];

    expect([second.status, second.body]).toEqual([402, first.body]);
    expect(sim.control.payments()).toHaveLength(1);
  });

  test('in the interface profile names the payment', async () => {
    await using sim = await start();
    sim.control.settings({ declineHttpStatus: 402 });

    const { status, body } = await call(sim, process, { body: paymentBody(sim, cards.declined) });

    expect([status, body.status]).toEqual([402, 'declined']);
  });
});
