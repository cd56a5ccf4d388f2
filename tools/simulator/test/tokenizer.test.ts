import { describe, expect, test } from '@jest/globals';
import { defaults } from '../defaults.js';
import type { Simulator } from '../simulator.js';
import { passesLuhn, processorCards, testCards } from '../test-cards.js';
import { call, cards, paymentBody, start } from './support.js';

const route = `POST ${defaults.tokenizerPath}`;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const card = {
  card_number: cards.success,
  cardholder_name: 'Eva Ruíz',
  cvv: '123',
  expiration_month: '08',
  expiration_year: '40',
};

async function accessToken(sim: Simulator): Promise<string> {
  return (await call(sim, 'POST /api/v1/tokenization/auth/')).body.access_token;
}

async function tokenize(sim: Simulator, body: unknown, token?: string) {
  const headers = { 'X-Skyflow-Authorization': token ?? (await accessToken(sim)) };
  return await call(sim, route, { body, headers });
}

describe('tokenising a card', () => {
  test('gives five tokens, of which the number’s looks like a card and can never be one', async () => {
    await using sim = await start();

    const { status, body } = await tokenize(sim, card);

    expect(status).toBe(200);
    expect(body).toEqual({
      card_number: expect.stringMatching(/^[0-9]{4}(-[0-9]{4}){3}$/),
      cardholder_name: expect.stringMatching(uuid),
      cvv: expect.stringMatching(uuid),
      expiration_month: expect.stringMatching(uuid),
      expiration_year: expect.stringMatching(uuid),
    });
    const digits = body.card_number.replaceAll('-', '');
    expect(passesLuhn(digits)).toBe(false);
    expect(digits).not.toBe(card.card_number);
  });

  test('gives tokens that pay', async () => {
    await using sim = await start();
    const { body } = await tokenize(sim, card);

    const paid = await call(sim, 'POST /api/v1/process/', {
      body: { ...paymentBody(sim), payment_method: { type: 'CARD', ...body } },
    });

    expect(paid.body.status).toBe('authorized');
  });

  test('accepts a year of four digits', async () => {
    await using sim = await start();

    expect((await tokenize(sim, { ...card, expiration_year: '2040' })).status).toBe(200);
  });

  test.each([
    ['an unknown access token', 'unknown'],
    ['no access token', ''],
  ])('with %s is refused with 401', async (_what, token) => {
    await using sim = await start();

    const { status, body } = await tokenize(sim, card, token);

    expect(status).toBe(401);
    expect(body.error.type).toBe('auth_error');
  });

  test('spends its access token, which ends after 15 minutes in any case', async () => {
    await using sim = await start();
    const [spent, old] = [await accessToken(sim), await accessToken(sim)];

    expect((await tokenize(sim, card, spent)).status).toBe(200);
    expect((await tokenize(sim, card, spent)).status).toBe(401);
    sim.control.advanceClock(15 * 60_000);
    expect((await tokenize(sim, card, old)).status).toBe(401);
  });

  test('does not spend its access token on a refusal', async () => {
    await using sim = await start();
    const token = await accessToken(sim);

    expect((await tokenize(sim, { ...card, cvv: '1' }, token)).status).toBe(422);
    expect((await tokenize(sim, card, token)).status).toBe(200);
  });

  test.each([
    ['card_number', '4000000000000078'],
    ['expiration_year', '20'],
  ] as const)('refuses impossible card data at %s with 400', async (field, value) => {
    await using sim = await start();

    const { status, body } = await tokenize(sim, { ...card, [field]: value });

    expect(status).toBe(400);
    expect(body.error.code).toBe('invalid_card');
    expect(Object.keys(body.error.details)).toEqual([field]);
  });

  test.each([
    ['card_number', '4000 0000 0000 0077'],
    ['card_number', '400000000000'],
    ['cardholder_name', ''],
    ['cardholder_name', 'x'.repeat(256)],
    ['cvv', '12'],
    ['cvv', '12345'],
    ['expiration_month', '13'],
    ['expiration_month', '8'],
    ['expiration_year', '204'],
  ])('refuses %s with 422 when it breaks its rule (%#)', async (field, value) => {
    await using sim = await start();

    const { status, body } = await tokenize(sim, { ...card, [field]: value });

    expect(status).toBe(422);
    expect(Object.keys(body.error.details)).toEqual([field]);
  });

  test('names every missing field', async () => {
    await using sim = await start();

    const { status, body } = await tokenize(sim, {});

    expect(status).toBe(400);
    expect(new Set(Object.keys(body.error.details))).toEqual(new Set(Object.keys(card)));
  });

  test('may be asked for by the page of any shop, refusals included', async () => {
    await using sim = await start();
    const origin = { Origin: 'https://shop.example' };

    const preflight = await call(sim, `OPTIONS ${defaults.tokenizerPath}`, { headers: origin });
    const refused = await call(sim, route, { body: card, headers: origin });

    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe(
      'Content-Type, Authorization, X-Skyflow-Authorization',
    );
    for (const { headers } of [preflight, refused]) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  test('leaves no card data in the record of calls', async () => {
    await using sim = await start();

    await tokenize(sim, { ...card, note: cards.success });

    const records = JSON.stringify([sim.control.calls(), sim.control.sessions(), sim.control.payments()]);
    expect(records).not.toContain(card.card_number);
    expect(records).not.toContain(card.cardholder_name);
    expect(sim.control.calls('tokenize')[0]?.headers['x-skyflow-authorization']).toBe('[redacted]');
  });
});

describe('the test cards', () => {
  test('are each listed once and have a sentence in both languages', () => {
    const all = [...testCards, ...processorCards];

    expect(new Set(all.map(({ number }) => number)).size).toBe(all.length);
    for (const { es, en } of all) expect(es !== '' && en !== '').toBe(true);
  });

  test('can all be tokenised', async () => {
    await using sim = await start();

    for (const { number } of [...testCards, ...processorCards]) {
      expect((await tokenize(sim, { ...card, card_number: number })).status).toBe(200);
    }
  });
});
