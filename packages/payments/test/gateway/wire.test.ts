import { createHmac } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { centavos, fromPesosText } from '@tianguis/payments/rules';
import fc from 'fast-check';
import { openServer } from '../../../../test/support/http.js';
import { createClient } from '../../../../test/support/replica.js';
import { profileOfThisRun } from '../../../../test/support/test-shop.js';
import { toPaymentBody } from '../../src/gateway/card-payments.js';
import { toSessionBody } from '../../src/gateway/hosted-sessions.js';
import { canonicalJson } from '../../src/gateway/sign-request.js';
import { errorOf, newSession, openTestGateway, pay, paymentRequest, sessionRequest } from './support.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const signingSecret = 'a signing secret of ours';

test('a session request has all members of the interface in centavos and Unix seconds, and no others', async () => {
  await using client = await openTestGateway();
  const request = sessionRequest({ reference: 'TG-7KMX-2AFR' });

  const session = await client.gateway.startSession(request, Date.now());

  const [call] = client.simulator.control.calls('create-session');
  expect(call).toMatchObject({ method: 'POST', path: '/checkout/v1/sessions' });
  expect(call?.body).toEqual({
    customer: { first_name: 'Eva', last_name: 'Ruiz Nava', email: 'eva@example.com' },
    amount_total: 15_000,
    currency: 'MXN',
    line_items: [
      { name: 'Taza', quantity: 2, unit_price: 5000, product_id: 'taza' },
      { name: 'Jarra “negra”', quantity: 1, unit_price: 5000, product_id: 'jarra' },
    ],
    external_id: 'TG-7KMX-2AFR',
    metadata: { order_number: 'TG-7KMX-2AFR' },
    payment_method_types: ['card'],
    checkout_type: 'hosted',
    session_type: 'payment',
    success_url: request.returnUrl,
    return_url: request.returnUrl,
    expires_at: Math.floor(request.expiresAt / 1000),
  });
  expect(call?.headers).toMatchObject({ 'x-idempotency-key': request.idempotencyKey });
  const url = expect.stringContaining(client.simulator.url);
  const offerEndsAt = Math.floor(request.expiresAt / 1000) * 1000;
  // The interface promises `payment_id` after the payment.
  const paymentId = profileOfThisRun() === 'minimal' ? undefined : expect.stringMatching(/^\d+$/);
  const numbers = { paymentId, provider: expect.any(String) };
  expect(session).toEqual({ kind: 'open', gatewayId: expect.any(String), url, offerEndsAt, numbers, unused: [] });
});

test('a session with an expiry outside of 30 minutes to 24 hours is refused before the call', async () => {
  await using client = await openTestGateway();
  const now = 1_790_000_000_000;

  for (const lifetime of [30 * MINUTE - 1000, 24 * HOUR + 1000, -HOUR, now / 1000 - now, Number.NaN]) {
    const started = client.gateway.startSession(sessionRequest({ expiresAt: now + lifetime }), now);
    await expect(started).rejects.toThrow(RangeError);
  }

  expect(client.simulator.control.calls()).toEqual([]);
  for (const lifetime of [30 * MINUTE, 24 * HOUR])
    expect(toSessionBody(sessionRequest({ expiresAt: now + lifetime }), now)['expires_at']).toBe(
      (now + lifetime) / 1000,
    );
});

test('names in any script are sent unchanged, and the domain of an e-mail address in its ASCII form', async () => {
  await using client = await openTestGateway();
  const contact = { firstName: 'محمد 👩‍👩‍👧', lastName: 'Ñandú 𝕏 "王"\\', email: 'eva@exámple.mx' };

  await newSession(client.gateway, { contact });

  expect(client.simulator.control.calls('create-session')[0]?.body).toMatchObject({
    customer: { first_name: contact.firstName, last_name: contact.lastName, email: 'eva@xn--exmple-qta.mx' },
  });
});

test('a customer with one name has it as the last name too in a session, and as the whole name in a card payment', async () => {
  await using client = await openTestGateway();
  const contact = { firstName: 'Citlali', lastName: '', email: 'citlali@example.com' };

  await newSession(client.gateway, { contact });
  await client.gateway.processPayment(
    paymentRequest({ contact, tokens: client.simulator.control.tokenizeCard('4000000000000077') }),
  );

  const [session, payment] = (['create-session', 'process'] as const).map(
    (call) => client.simulator.control.calls(call)[0]?.body,
  );
  expect(session).toMatchObject({ customer: { first_name: 'Citlali', last_name: 'Citlali' } });
  expect(payment).toMatchObject({ customer: { name: 'Citlali' } });
});

test('a card payment request has all members of the interface in pesos, and no others', async () => {
  await using client = await openTestGateway();
  const tokens = client.simulator.control.tokenizeCard('4000000000000077');
  const request = paymentRequest({ tokens, amount: centavos(24_990) });

  await client.gateway.processPayment(request);

  const [call] = client.simulator.control.calls('process');
  expect(call).toMatchObject({ method: 'POST', path: '/api/v1/process/' });
  expect(call?.body).toEqual({
    operation_type: 'payment',
    amount: 249.9,
    currency: 'MXN',
    customer: { name: 'Eva Ruiz Nava', email: 'eva@example.com' },
    payment_method: { type: 'CARD', ...tokens },
    client_reference: request.reference,
    return_url: request.returnUrl,
  });
  expect(call?.headers).toMatchObject({ 'x-request-id': request.idempotencyKey, connection: 'close' });
  expect(call?.headers['x-signature-transaction']).toBeUndefined();
});

test('the amount of a card payment is sent as a number with at most two decimals, exact to the centavo', () => {
  const amounts = fc.oneof(
    fc.integer({ min: 1, max: 100_000 }),
    fc.integer({ min: 1, max: 1_500_000_000 }),
    fc.integer({ min: 1, max: 1_000_000_000_000 }),
  );
  fc.assert(
    fc.property(amounts, (amount) => {
      const body = canonicalJson(toPaymentBody(paymentRequest({ amount: centavos(amount) })), 'ascii');
      const written = /"amount":([^,}]*)/.exec(body)?.[1] ?? '';

      expect(written).toMatch(/^\d+(?:\.\d{1,2})?$/);
      expect(fromPesosText(written)).toBe(amount);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['ascii', 'ascii', 'known'],
  ['utf8', 'utf8', 'known'],
  ['ascii', 'utf8', 'refused'],
  ['utf8', 'ascii', 'refused'],
] as const)('a payment signed over %s, verified over %s: %s', async (signingText, verifiedText, kind) => {
  await using client = await openTestGateway({ signingSecret, signingText });
  client.simulator.control.settings({ signingSecret, signingText: verifiedText });
  const contact = { firstName: 'José 𝕏', lastName: 'Núñez "\\/\u007f', email: 'eva@example.com' };

  expect((await pay(client, { contact })).kind).toBe(kind);
});

test('a card payment of a signing account is signed over the bytes that are sent', async () => {
  let received = { text: '', signature: undefined as unknown };
  await using server = await openServer(async (req, res) => {
    received = { text: await text(req), signature: req.headers['x-signature-transaction'] };
    res.writeHead(500).end();
  });
  using gateway = createClient(server.url, { signingSecret });
  const contact = { firstName: 'José', lastName: 'Núñez 𝕏', email: 'eva@example.com' };

  await gateway.processPayment(paymentRequest({ contact }));

  const { text: sent, signature } = received;
  expect(sent).toContain('"name":"Jos\\u00e9 N\\u00fa\\u00f1ez \\ud835\\udd4f"');
  expect(sent).toMatch(/^[\x20-\x7e]+$/);
  expect(signature).toBe(createHmac('sha256', signingSecret).update(sent).digest('base64'));
});

// Output of Python's json.dumps(body, separators=(',', ':'), sort_keys=True) for the same values.
test('the canonical form in ASCII equals the published Python sample byte for byte', () => {
  const body = { b: ['José Núñez', 'ß€ 𝕏', '\u007f\u0000\n\t"\\/ <&>'], a: { d: 249.9, c: 150, e: null } };

  expect(canonicalJson(body, 'ascii')).toBe(
    String.raw`{"a":{"c":150,"d":249.9,"e":null},"b":["Jos\u00e9 N\u00fa\u00f1ez","\u00df\u20ac \ud835\udd4f","\u007f\u0000\n\t\"\\/ <&>"]}`,
  );
});

test('every call states JSON, the key and no other encoding, also without a body, and has no unknown header', async () => {
  await using client = await openTestGateway();

  await errorOf(client.gateway.lookUp('card', 'x'));
  await client.gateway.accessToken();
  await newSession(client.gateway);
  await pay(client);

  const calls = client.simulator.control.calls();
  const names = ['accept', 'accept-encoding', 'authorization', 'content-type', 'user-agent', 'host', 'connection'];
  expect(new Set(calls.flatMap(({ headers }) => Object.keys(headers)))).toEqual(
    new Set([...names, 'content-length', 'x-idempotency-key', 'x-request-id']),
  );
  expect(calls.map(({ method, headers }) => [method, headers])).toEqual(
    ['GET', 'POST', 'POST', 'POST'].map((method) => [
      method,
      expect.objectContaining({
        accept: 'application/json',
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        'user-agent': 'tianguis',
      }),
    ]),
  );
});

test.each(['../../../_control/reset', 'a/b', '?x=1', '#x', '%2e%2e', 'ñ', 'a b'])(
  'the lookup of the id %j requests only the path of that id',
  async (id) => {
    await using client = await openTestGateway();

    await errorOf(client.gateway.lookUp('hosted', id));
    await errorOf(client.gateway.lookUp('card', id));

    expect(client.simulator.control.calls().map(({ path }) => path)).toEqual([
      `/checkout/v1/sessions/${encodeURIComponent(id)}`,
      `/api/v1/transactions/${encodeURIComponent(id)}/`,
    ]);
  },
);
