import { describe, expect, test } from '@jest/globals';
import {
  call,
  cards,
  lookup,
  newPayment,
  newSession,
  page,
  paymentBody,
  readSession,
  start,
} from './support.js';

describe('in the interface profile', () => {
  test('a pending 3D Secure payment carries the bank’s address and nothing else', async () => {
    await using sim = await start();

    const payment = await newPayment(sim, cards.challenge);

    expect(payment.status).toBe('pending');
    expect(payment.next_action).toEqual({
      redirect_to_url: { url: expect.stringContaining(`${sim.url}/bank/`) },
    });
  });

  test('the lookup gives a numeric amount and the reference', async () => {
    await using sim = await start();
    const payment = await newPayment(sim);

    expect(await lookup(sim, payment.id)).toEqual({ ...payment, client_reference: 'ORD-1' });
  });

  test('a completed session is read in full', async () => {
    await using sim = await start();
    const { id } = await newSession(sim);

    sim.control.paySession(id);

    const session = await readSession(sim, id);
    expect(session).toMatchObject({ status: 'completed', transaction_status: 'Success', currency: 'MXN' });
    expect(session.paid_at).toEqual(expect.any(Number));
    expect(session).toHaveProperty('line_items');
  });

  test('the bank returns to the very return_url', async () => {
    await using sim = await start();
    const payment = await newPayment(sim, cards.challenge);

    const { location } = await page(sim, payment.next_action.redirect_to_url.url, { answer: 'approve' });

    expect(location).toBe('https://shop.example/back?a=1');
  });
});

describe('in the public-docs profile', () => {
  const profile = 'public-docs' as const;

  test.each([
    [cards.success, 'Success', 201],
    [cards.authorized, 'Authorized', 201],
    [cards.declined, 'Declined', 200],
    [cards.challenge, 'Pending', 201],
  ])('card %s is answered with %s', async (card, status, statusCode) => {
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

  test('a decline says why', async () => {
    await using sim = await start({ profile });

    const payment = await newPayment(sim, cards.insufficient);

    expect(payment).toMatchObject({ decline_code: 'CH01', decline_reason: 'Insufficient funds' });
  });

  test('the lookup gives the amount as text with four decimals and what completed it', async () => {
    await using sim = await start({ profile });
    const payment = await newPayment(sim);

    expect(await lookup(sim, payment.id)).toMatchObject({
      id: payment.id,
      amount: '249.9000',
      transaction_id: payment.transaction_id,
      client_reference: 'ORD-1',
      updated_at: expect.any(String),
      completion_details: { completed_at: expect.any(String), authorization_code: expect.any(String) },
    });
  });

  test('the way back from the bank carries the payment number, and the payment says so before', async () => {
    await using sim = await start({ profile });
    const { next_action, payment_id, id } = await newPayment(sim, cards.challenge);
    const back = `https://shop.example/back?a=1&tndr_payment_id=${payment_id}`;

    const { location } = await page(sim, next_action.redirect_to_url.url, { answer: 'refuse' });

    expect(location).toBe(back);
    expect(next_action.redirect_to_url).toMatchObject({
      return_url: back,
      verify_transaction_status_url: `/transactions/${id}/`,
    });
  });

  test('a completed session is read abbreviated', async () => {
    await using sim = await start({ profile });
    const { id } = await newSession(sim);
    sim.control.paySession(id);

    expect(new Set(Object.keys(await readSession(sim, id)))).toEqual(
      new Set([
        'amount_total',
        'currency',
        'external_id',
        'id',
        'paid_at',
        'payment_id',
        'status',
        'transaction_status',
        'url',
      ]),
    );
  });

  test('is taken up and left at run time', async () => {
    await using sim = await start();
    const payment = await newPayment(sim);

    sim.control.setProfile(profile);
    expect((await lookup(sim, payment.id)).status).toBe('Success');
    sim.control.reset();
    expect((await lookup(sim, payment.id)).status).toBe('authorized');
  });
});
