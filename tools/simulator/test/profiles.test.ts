import { expect, test } from 'vitest';
import {
  call,
  cards,
  createPayment,
  createSession,
  page,
  paymentBody,
  readPayment,
  readSession,
  returnUrl,
  start,
} from './support.js';

const profile = 'public-docs';

test('a pending 3D Secure payment in the interface profile has the bank’s address only', async () => {
  await using sim = await start();

  const payment = await createPayment(sim, cards.challenge);

  const url = expect.stringContaining(`${sim.url}/bank/`);
  expect(payment).toMatchObject({ status: 'pending', next_action: { redirect_to_url: { url } } });
  expect(Object.keys(payment.next_action.redirect_to_url)).toEqual(['url']);
});

test.each([
  [cards.success, 'Success', 201],
  [cards.authorized, 'Authorized', 201],
  [cards.declined, 'Declined', 200],
  [cards.challenge, 'Pending', 201],
])('card %s in the public-docs profile has the status %s', async (card, status, statusCode) => {
  await using sim = await start({ profile });

  const { body } = await call(sim, 'POST /api/v1/process/', { body: paymentBody(sim, card) });

  expect(body).toMatchObject({
    status,
    status_code: statusCode,
    amount: 249.9,
    client_reference: 'ORD-1',
    provider: expect.any(String),
    metadata: {},
    transaction_id: expect.any(Number),
    created_at: expect.stringMatching(/\.[0-9]{6}Z$/),
  });
});

test.each([
  [cards.declined, 'card_declined', 'BH01'],
  [cards.insufficient, 'insufficient_funds', 'CH01'],
])(
  'a decline of card %s with HTTP 402 in the public-docs profile is the error %s, also when repeated',
  async (card, code, decline_code) => {
    await using sim = await start({ profile });
    sim.control.settings({ declineHttpStatus: 402 });
    const options = { body: paymentBody(sim, card), headers: { 'X-Request-Id': 'request-1' } };

    const first = await call(sim, 'POST /api/v1/process/', options);
    const second = await call(sim, 'POST /api/v1/process/', options);

    expect(first.status).toBe(402);
    expect(first.body).toEqual({
      error: { code, message: expect.any(String), type: 'request_error', details: { decline_code } },
      request_id: expect.any(String),
    });
    expect([second.status, second.body]).toEqual([402, first.body]);
    expect(sim.control.payments()).toMatchObject([{ status: 'declined' }]);
  },
);

test('a lookup in the public-docs profile has the amount as text with four decimals', async () => {
  await using sim = await start({ profile });
  const payment = await createPayment(sim);

  expect(await readPayment(sim, payment.id)).toMatchObject({
    id: payment.id,
    amount: '249.9000',
    transaction_id: payment.transaction_id,
    client_reference: 'ORD-1',
    completion_details: { completed_at: expect.any(String), authorization_code: expect.any(String) },
  });
});

test('the redirect from the bank in the public-docs profile has the payment number', async () => {
  await using sim = await start({ profile });
  const { next_action, payment_id, id } = await createPayment(sim, cards.challenge);
  const return_url = `${returnUrl}&tndr_payment_id=${payment_id}`;

  const { location } = await page(sim, next_action.redirect_to_url.url, { answer: 'refuse' });

  expect(location).toBe(return_url);
  const verify_transaction_status_url = `/transactions/${id}/`;
  expect(next_action.redirect_to_url).toMatchObject({ return_url, verify_transaction_status_url });
});

test('a completed session in the public-docs profile is read abbreviated', async () => {
  await using sim = await start({ profile });
  const { id } = await createSession(sim);
  sim.control.paySession(id);

  expect(await readSession(sim, id)).toEqual({
    id,
    url: expect.any(String),
    status: 'completed',
    payment_id: expect.any(Number),
    amount_total: 24_990,
    currency: 'MXN',
    external_id: 'ORD-1',
    transaction_status: 'Success',
    paid_at: expect.any(Number),
  });
});
