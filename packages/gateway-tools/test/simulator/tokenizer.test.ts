import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { tokenizerPath } from '../../src/simulator/api.js';
import type { Simulator } from '../../src/simulator/simulator.js';
import { passesLuhn } from '../../src/simulator/test-cards.js';
import { call, cards, paymentBody, start } from './support.js';

let sim: Simulator;

beforeEach(async () => {
  sim = await start();
});

afterEach(() => sim.close());

const route = `POST ${tokenizerPath}`;
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

test('tokenization returns five tokens that pay, and the number’s token is never a valid card number', async () => {
  const { status, body } = await tokenize(sim, card);

  const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(status).toBe(200);
  expect(body).toEqual({
    card_number: expect.stringMatching(/^[0-9]{4}(-[0-9]{4}){3}$/),
    cardholder_name: uuid,
    cvv: uuid,
    expiration_month: uuid,
    expiration_year: uuid,
  });
  expect(passesLuhn(body.card_number.replaceAll('-', ''))).toBe(false);
  const payment = paymentBody(sim, cards.success, { payment_method: { type: 'CARD', ...body } });
  expect((await call(sim, 'POST /api/v1/process/', { body: payment })).body.status).toBe('authorized');
});

test.each([
  ['interface', ['4-4-4-1', '4-4-4-3', '4-4-4-4', '4-4-4-4-3']],
  ['public-docs', ['4-4-4-4', '4-4-4-4', '4-4-4-4', '4-4-4-4']],
] as const)(
  'in the profile %s the tokens of cards with 13, 15, 16 and 19 digits have blocks of %j',
  (profile, blocks) => {
    sim.control.settings({ profile });

    const tokens = ['4222222222222', '340000000000009', cards.success, '6304000000000000000'].map(
      (number) => sim.control.tokenizeCard(number).card_number,
    );

    expect(
      tokens.map((token) =>
        token
          .split('-')
          .map(({ length }) => length)
          .join('-'),
      ),
    ).toEqual(blocks);
    expect(tokens.filter((token) => passesLuhn(token.replaceAll('-', '')))).toEqual([]);
  },
);

test.each(['378282246310005', '3782-8224', '37828224-6310-005'])(
  'a payment with the number token %s is refused',
  async (card_number) => {
    const payment_method = { type: 'CARD', ...sim.control.tokenizeCard(cards.success), card_number };

    const { status, body } = await call(sim, 'POST /api/v1/process/', {
      body: paymentBody(sim, cards.success, { payment_method }),
    });

    expect([status, Object.values(body.error.details)]).toEqual([
      422,
      [expect.stringContaining('blocks of four digits')],
    ]);
  },
);

test('an access token is refused after one success and after 15 minutes', async () => {
  const [used, old] = [await accessToken(sim), await accessToken(sim)];

  expect((await tokenize(sim, card, 'unknown')).body.error.type).toBe('auth_error');
  expect((await tokenize(sim, { ...card, cvv: '1' }, used)).status).toBe(422);
  expect((await tokenize(sim, card, used)).status).toBe(200);
  expect((await tokenize(sim, card, used)).status).toBe(401);
  sim.control.advanceClock(15 * 60_000);
  expect((await tokenize(sim, card, old)).status).toBe(401);
});
