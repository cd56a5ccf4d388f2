import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { call, cards, lookup, newPayment, paymentBody, put, start } from './support.js';

const route = 'POST /api/v1/process/';

const sign = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('base64');

/** `JSON.stringify` with a list of names writes the members in that order at every depth. */
function canonical(body: object): string {
  const names = new Set<string>();
  JSON.stringify(body, (name, value) => {
    names.add(name);
    return value;
  });
  return JSON.stringify(
    body,
    [...names].sort((left, right) => (left < right ? -1 : 1)),
  );
}

describe('processing a payment', () => {
  test('authorises a card without 3D Secure and charges it', async () => {
    await using sim = await start();

    const { status, body } = await call(sim, route, { body: paymentBody(sim) });

    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      operation_type: 'payment',
      status: 'authorized',
      amount: 249.9,
      currency: 'MXN',
      payment_id: expect.any(Number),
      transaction_id: expect.stringMatching(/^[0-9]+$/),
      created_at: expect.stringMatching(/^[0-9-]+T[0-9:.]+Z$/),
    });
    expect(sim.control.ledger()).toEqual([
      expect.objectContaining({ kind: 'payment', id: body.id, amountMinor: 24_990, reference: 'ORD-1' }),
    ]);
  });

  test.each([
    { what: 'the card without 3D Secure', card: cards.authorized, status: 'authorized', charges: 1 },
    { what: 'a declined card', card: cards.declined, status: 'declined', charges: 0 },
    { what: 'a card without funds', card: cards.insufficient, status: 'declined', charges: 0 },
    { what: 'a card declined without 3D Secure', card: '4444444444449777', status: 'declined', charges: 0 },
    { what: 'a frictionless card', card: '4000000000000093', status: 'authorized', charges: 1 },
    {
      what: 'an unknown card with a right check digit',
      card: '4242424242424242',
      status: 'authorized',
      charges: 1,
    },
    { what: 'a 3D Secure card', card: cards.challenge, status: 'pending', charges: 0 },
    { what: 'an older 3D Secure card', card: '4000000000000085', status: 'pending', charges: 0 },
    {
      what: 'a card that declines after 3D Secure',
      card: cards.challengeDeclined,
      status: 'pending',
      charges: 0,
    },
  ])('with $what answers and looks up the same status', async ({ card, status, charges }) => {
    await using sim = await start();

    const payment = await newPayment(sim, card);

    expect(payment.status).toBe(status);
    expect((await lookup(sim, payment.id)).status).toBe(status);
    expect(sim.control.ledger()).toHaveLength(charges);
  });

  test('a processing error answers 500 and leaves no record', async () => {
    await using sim = await start();

    const { status, body } = await call(sim, route, { body: paymentBody(sim, cards.processingError) });

    expect(status).toBe(500);
    expect(body.error).toMatchObject({ code: 'processing_error', type: 'server_error' });
    expect(sim.control.payments()).toEqual([]);
    expect(sim.control.ledger()).toEqual([]);
  });

  test.each([200, 402] as const)('a decline answers with HTTP %p when it is set so', async (httpStatus) => {
    await using sim = await start();
    sim.control.settings({ declineHttpStatus: httpStatus });

    const { status, body } = await call(sim, route, { body: paymentBody(sim, cards.declined) });

    expect(status).toBe(httpStatus);
    expect(body).toMatchObject({ id: expect.any(String), status: 'declined' });
  });

  test.each([
    ['operation_type', undefined],
    ['amount', undefined],
    ['amount', '249.90'],
    ['currency', undefined],
    ['customer', undefined],
    ['customer.name', undefined],
    ['customer.email', 5],
    ['payment_method', undefined],
    ['payment_method.type', undefined],
    ['payment_method.card_number', undefined],
    ['payment_method.cvv', 123],
    ['client_reference', undefined],
    ['return_url', undefined],
    ['metadata', []],
  ])('refuses with 400 when %s is %p', async (path, value) => {
    await using sim = await start();

    const { status, body } = await call(sim, route, { body: put(paymentBody(sim), path, value) });

    expect(status).toBe(400);
    expect(Object.keys(body.error.details)).toEqual([path]);
  });

  test.each([
    ['operation_type', 'refund'],
    ['amount', 0],
    ['amount', 0.001],
    ['amount', 10.005],
    ['amount', 15_000_000.01],
    ['currency', 'USD'],
    ['customer.name', 'x'.repeat(256)],
    ['customer.email', 'nobody'],
    ['payment_method.type', 'SPEI'],
    ['client_reference', 'x'.repeat(256)],
    ['return_url', 'ftp://shop.example/'],
    ['payment_method.card_number', '4000000000000077'],
    ['payment_method.cvv', '123'],
  ])('refuses with 422 when %s breaks its rule (%#)', async (path, value) => {
    await using sim = await start();

    const { status, body } = await call(sim, route, { body: put(paymentBody(sim), path, value) });

    expect(status).toBe(422);
    expect(Object.keys(body.error.details)).toEqual([path]);
    expect(sim.control.payments()).toEqual([]);
  });

  test.each([0.01, 0.1, 19.99, 1.1, 4.35, 14_999_999.99, 15_000_000])(
    'accepts the amount %p exactly',
    async (amount) => {
      await using sim = await start();

      const { body } = await call(sim, route, { body: { ...paymentBody(sim), amount } });

      expect(body.amount).toBe(amount);
      expect(sim.control.ledger()[0]?.amountMinor).toBe(Number((amount * 100).toFixed(0)));
    },
  );

  test('refuses tokens that are used in one another’s field', async () => {
    await using sim = await start();
    const tokens = sim.control.tokenizeCard(cards.success);
    const mixed = { ...tokens, cvv: tokens.cardholder_name, cardholder_name: tokens.cvv };

    const { status, body } = await call(sim, route, {
      body: { ...paymentBody(sim), payment_method: { type: 'CARD', ...mixed } },
    });

    expect(status).toBe(422);
    expect(body.error.details).toEqual({
      'payment_method.cardholder_name': 'is a token of cvv',
      'payment_method.cvv': 'is a token of cardholder_name',
    });
  });
});

describe('the X-Request-Id', () => {
  const headers = { 'X-Request-Id': '5f1b2c3d-0000-4000-8000-000000000001' };

  test('with the same body replays the stored answer, even when it is stale', async () => {
    await using sim = await start();
    const body = paymentBody(sim, cards.challenge);

    const first = await call(sim, route, { body, headers });
    sim.control.approve(first.body.id);
    const second = await call(sim, route, { body, headers });

    expect(second.status).toBe(first.status);
    expect(second.body).toEqual(first.body);
    expect((await lookup(sim, first.body.id)).status).toBe('authorized');
    expect(sim.control.payments()).toHaveLength(1);
  });

  test('with another body is refused', async () => {
    await using sim = await start();
    await call(sim, route, { body: paymentBody(sim), headers });

    const { status, body } = await call(sim, route, { body: paymentBody(sim), headers });

    expect(status).toBe(422);
    expect(body.error.code).toBe('idempotency_conflict');
    expect(sim.control.ledger()).toHaveLength(1);
  });

  test('when absent every call is a charge of its own', async () => {
    await using sim = await start();
    const body = paymentBody(sim);

    await call(sim, route, { body });
    await call(sim, route, { body });

    expect(sim.control.ledger()).toHaveLength(2);
  });
});

describe('the signature', () => {
  test('is asked for only while a signing secret is set', async () => {
    await using sim = await start();
    const body = paymentBody(sim);
    const right = { 'X-Signature-Transaction': sign(canonical(body), 'secret') };
    const wrong = { 'X-Signature-Transaction': sign(canonical(body), 'other') };
    const send = async (headers: Record<string, string>) =>
      (await call(sim, route, { body, headers })).status;

    sim.control.settings({ signingSecret: 'secret' });
    const unsorted = { 'X-Signature-Transaction': sign(JSON.stringify(body), 'secret') };
    expect([await send({}), await send(wrong), await send(unsorted), await send(right)]).toEqual([
      401, 401, 401, 201,
    ]);

    sim.control.settings({ signingSecret: null });
    expect(await send({})).toBe(201);
  });

  test.each([
    ['both', 201, 201],
    ['ascii', 201, 401],
    ['utf8', 401, 201],
  ] as const)(
    'over an accented name is accepted as %s says: escaped %i, not escaped %i',
    async (signingText, escaped, plain) => {
      await using sim = await start();
      sim.control.settings({ signingSecret: 'secret', signingText });
      const body = { ...paymentBody(sim), customer: { name: 'José Núñez', email: 'jose@example.com' } };
      const utf8 = canonical(body);
      const ascii = utf8.replace('José Núñez', String.raw`Jos\u00e9 N\u00fa\u00f1ez`);
      const send = async (text: string) => {
        const headers = { 'X-Signature-Transaction': sign(text, 'secret') };
        return (await call(sim, route, { body, headers })).status;
      };

      expect([await send(ascii), await send(utf8)]).toEqual([escaped, plain]);
    },
  );
});

describe('the bank question of a payment', () => {
  test('when approved charges, when refused does not', async () => {
    await using sim = await start();
    const approved = await newPayment(sim, cards.challenge);
    const refused = await newPayment(sim, cards.challenge);

    sim.control.approve(approved.id);
    sim.control.refuse(refused.id);
    sim.control.approve(refused.id);

    expect((await lookup(sim, approved.id)).status).toBe('authorized');
    expect((await lookup(sim, refused.id)).status).toBe('declined');
    expect(sim.control.ledger().map(({ id }) => id)).toEqual([approved.id]);
  });

  test('when approved with the card that is declined afterwards does not charge', async () => {
    await using sim = await start();
    const payment = await newPayment(sim, cards.challengeDeclined);

    sim.control.approve(payment.id);

    expect((await lookup(sim, payment.id)).status).toBe('declined');
    expect(sim.control.ledger()).toEqual([]);
  });

  test('expires after 30 minutes, and a late approval charges nothing', async () => {
    await using sim = await start();
    const payment = await newPayment(sim, cards.challenge);

    sim.control.advanceClock(30 * 60_000);
    sim.control.approve(payment.id);

    expect((await lookup(sim, payment.id)).status).toBe('expired');
    expect(sim.control.ledger()).toEqual([]);
  });
});
