import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { centavos, fromPesosText } from '../../src/domain/money.js';
import { type PaymentRequest, toPaymentBody } from '../../src/gateway/card-payments.js';
import { toSessionBody } from '../../src/gateway/hosted-sessions.js';
import { canonicalJson } from '../../src/gateway/signature.js';
import { faultOf, newSession, openGateway, openPeer, paymentRequest, sessionRequest } from './support.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('creating a session', () => {
  test('sends a domain of other letters in its ASCII form, which the gateway takes', async () => {
    await using peer = await openPeer();
    const contact = { firstName: 'Eva', lastName: 'Ruiz', email: 'eva@exámple.mx' };

    const session = await peer.gateway.startSession({ ...sessionRequest(), contact }, Date.now());

    expect(session.kind).toBe('open');
    const [call] = peer.simulator.control.calls('create-session');
    expect(call?.body).toMatchObject({ customer: { email: 'eva@xn--exmple-qta.mx' } });
  });

  test('sends what the interface asks for: centavos, Unix seconds, and nothing it does not know', async () => {
    await using peer = await openPeer();
    const request = sessionRequest();

    const session = await peer.gateway.startSession(request, Date.now());

    const [call] = peer.simulator.control.calls('create-session');
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
      success_url: request.returnUrl,
      return_url: request.returnUrl,
      expires_at: Math.floor(request.expiresAt / 1000),
    });
    expect(call?.headers).toMatchObject({
      authorization: 'Token [redacted]',
      'content-type': 'application/json',
      'x-idempotency-key': request.idempotencyKey,
    });
    expect(session).toEqual({
      kind: 'open',
      id: expect.any(String),
      url: expect.stringContaining(peer.simulator.url),
    });
  });

  test.each([
    ['29 minutes', 29 * MINUTE],
    ['a second less than 30 minutes', 30 * MINUTE - 1000],
    ['a second more than 24 hours', 24 * HOUR + 1000],
    ['24 hours and a minute', 24 * HOUR + MINUTE],
    ['the past', -HOUR],
    ['no time at all', 0],
    ['the year 57000, by seconds taken for milliseconds', Date.now() * 1000],
    ['1970, by milliseconds taken for seconds', Date.now() / 1000 - Date.now()],
    ['nothing that is a number', Number.NaN],
  ])('a page that would be open for %s is refused before the call', async (_time, lifetime) => {
    await using peer = await openPeer();
    const now = Date.now();

    const started = peer.gateway.startSession(sessionRequest({ expiresAt: now + lifetime }), now);

    await expect(started).rejects.toThrow(RangeError);
    expect(peer.simulator.control.calls()).toEqual([]);
  });

  test.each([
    ['30 minutes', 30 * MINUTE],
    ['24 hours', 24 * HOUR],
  ])('a page that is open for %s is asked for', (_time, lifetime) => {
    const now = 1_790_000_000_000;

    const body = toSessionBody(sessionRequest({ expiresAt: now + lifetime }), now);

    expect(body['expires_at']).toBe((now + lifetime) / 1000);
  });

  test('names in any script arrive as they are', async () => {
    await using peer = await openPeer();
    const contact = { firstName: 'محمد 👩‍👩‍👧', lastName: 'Ñandú 𝕏 "王"\\', email: 'eva@example.com' };

    await newSession(peer.gateway, { contact });

    expect(peer.simulator.control.calls('create-session')[0]?.body).toMatchObject({
      customer: { first_name: contact.firstName, last_name: contact.lastName },
    });
  });
});

describe('processing a card payment', () => {
  test('sends what the interface asks for: pesos with decimals, tokens, and its own reference', async () => {
    await using peer = await openPeer();
    const request = paymentRequest(peer.simulator, { amount: centavos(24_990) });

    await peer.gateway.processPayment(request);

    const [call] = peer.simulator.control.calls('process');
    expect(call).toMatchObject({ method: 'POST', path: '/api/v1/process/' });
    expect(call?.body).toEqual({
      operation_type: 'payment',
      amount: 249.9,
      currency: 'MXN',
      customer: { name: 'Eva Ruiz Nava', email: 'eva@example.com' },
      payment_method: { type: 'CARD', ...request.tokens },
      client_reference: request.reference,
      metadata: { order_id: request.reference, order_number: request.orderNumber },
      return_url: request.returnUrl,
    });
    expect(call?.headers).toMatchObject({
      authorization: 'Token [redacted]',
      'content-type': 'application/json',
      'x-request-id': request.idempotencyKey,
      connection: 'close',
    });
    expect(call?.headers['x-signature-transaction']).toBeUndefined();
  });

  test('the amount on the wire is a number with two decimals at most, equal to the centavos to the last one', () => {
    const amounts = fc.oneof(
      fc.integer({ min: 1, max: 1_500_000_000 }),
      fc.integer({ min: 1, max: 100_000 }),
      fc.integer({ min: 1, max: 1_000_000_000_000 }),
    );
    fc.assert(
      fc.property(amounts, (amount) => {
        const body = canonicalJson(toPaymentBody(anyPayment(amount)), 'ascii');
        const written = /"amount":([^,}]*)/.exec(body)?.[1] ?? '';

        expect(written).toMatch(/^\d+(?:\.\d{1,2})?$/);
        expect(fromPesosText(written)).toBe(amount);
      }),
      { numRuns: 5000 },
    );
  });

  test('the gateway takes it as exactly those centavos', async () => {
    await using peer = await openPeer();
    const amounts = [1, 115, 1999, 28_900, 1_010, 429_496_729, 1_500_000_000];

    for (const amount of amounts) {
      const processed = await peer.gateway.processPayment(
        paymentRequest(peer.simulator, { amount: centavos(amount) }),
      );
      expect(processed.kind).toBe('known');
    }

    expect(peer.simulator.control.ledger().map(({ amountMinor }) => amountMinor)).toEqual(amounts);
  });

  test.each([
    ['ascii', 'ascii', 'known'],
    ['utf8', 'utf8', 'known'],
    ['ascii', 'utf8', 'refused'],
    ['utf8', 'ascii', 'refused'],
  ] as const)(
    'a payment signed as %s is answered by a gateway that signs as %s: %s',
    async (signingText, verifiedText, kind) => {
      const signingSecret = 'a signing secret of ours';
      await using peer = await openPeer({ signingSecret, signingText });
      peer.simulator.control.settings({ signingSecret, signingText: verifiedText });
      const contact = { firstName: 'José 𝕏', lastName: 'Núñez "\\/\u007f', email: 'eva@example.com' };

      const processed = await peer.gateway.processPayment(paymentRequest(peer.simulator, { contact }));

      expect(processed.kind).toBe(kind);
    },
  );

  test('is signed when the account asks for it, over the very bytes that are sent', async () => {
    const received: { text: string; signature: string | string[] | undefined }[] = [];
    const server = createServer(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString('latin1');
      received.push({ text, signature: req.headers['x-signature-transaction'] });
      res.writeHead(500).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await using peer = await openPeer();
    using gateway = openGateway(`http://127.0.0.1:${port}`, { signingSecret: 'a signing secret of ours' });
    const contact = { firstName: 'José', lastName: 'Núñez 𝕏', email: 'eva@example.com' };

    await gateway.processPayment(paymentRequest(peer.simulator, { contact }));

    server.close();
    const [{ text, signature } = { text: '', signature: '' }] = received;
    expect(text).toContain('"name":"Jos\\u00e9 N\\u00fa\\u00f1ez \\ud835\\udd4f"');
    expect(text).toMatch(/^[\x20-\x7e]+$/);
    expect(signature).toBe(
      createHmac('sha256', 'a signing secret of ours').update(text, 'latin1').digest('base64'),
    );
  });

  test('with the wrong signing secret is refused, and nothing was charged', async () => {
    await using peer = await openPeer({ signingSecret: 'an older signing secret' });
    peer.simulator.control.settings({ signingSecret: 'a signing secret of ours' });

    const processed = await peer.gateway.processPayment(paymentRequest(peer.simulator));

    expect(processed).toMatchObject({ kind: 'refused', error: { code: 'unauthorized', status: 401 } });
    expect(peer.simulator.control.ledger()).toEqual([]);
  });
});

describe('the canonical form of a body', () => {
  test('is the same whatever the order of its members, and says the same as JSON', () => {
    const texts = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(
        fc.dictionary(texts, fc.jsonValue({ stringUnit: 'binary' })),
        fc.constantFrom('ascii' as const, 'utf8' as const),
        (body, text) => {
          const turned = Object.fromEntries(Object.entries(body).reverse());

          expect(canonicalJson(turned, text)).toBe(canonicalJson(body, text));
          expect(JSON.parse(canonicalJson(body, text))).toEqual(JSON.parse(JSON.stringify(body)));
        },
      ),
    );
  });

  // What Python's json.dumps(body, separators=(',', ':'), sort_keys=True) wrote for the same values.
  test('as ASCII is byte for byte what the published Python sample signs', () => {
    const body = { b: ['José Núñez', 'ß€ 𝕏', '\u007f\u0000\n\t"\\/ <&>'], a: { d: 249.9, c: 150, e: null } };

    expect(canonicalJson(body, 'ascii')).toBe(
      String.raw`{"a":{"c":150,"d":249.9,"e":null},"b":["Jos\u00e9 N\u00fa\u00f1ez","\u00df\u20ac \ud835\udd4f","\u007f\u0000\n\t\"\\/ <&>"]}`,
    );
  });
});

describe('every call', () => {
  test('is JSON, carries the key, and asks for JSON', async () => {
    await using peer = await openPeer();
    const session = await newSession(peer.gateway);

    await peer.gateway.readSession(session);
    await peer.gateway.accessToken();

    for (const { headers } of peer.simulator.control.calls()) {
      expect(headers).toMatchObject({
        authorization: 'Token [redacted]',
        accept: 'application/json',
        'content-type': 'application/json',
      });
    }
  });

  test('with a wrong key is refused as that', async () => {
    await using peer = await openPeer();
    using stranger = openGateway(peer.simulator.url, { apiKey: 'another_key_altogether' });

    expect((await faultOf(stranger.accessToken())).code).toBe('unauthorized');
  });

  test.each(['../../../_control/reset', 'a/b', '?x=1', '#x', '%2e%2e', 'ñ', 'a b'])(
    'of an id such as %j stays below its own address',
    async (id) => {
      await using peer = await openPeer();

      await faultOf(peer.gateway.readSession(id));
      await faultOf(peer.gateway.readTransaction(id));

      expect(peer.simulator.control.calls().map(({ path }) => path)).toEqual([
        `/checkout/v1/sessions/${encodeURIComponent(id)}`,
        `/api/v1/transactions/${encodeURIComponent(id)}/`,
      ]);
    },
  );
});

function anyPayment(amount: number): PaymentRequest {
  const token = '00000000-0000-4000-8000-000000000000';
  return {
    idempotencyKey: token,
    reference: 'TG-7KMX-2AFR',
    orderNumber: 'TG-7KMX-2AFR',
    contact: { firstName: 'Eva', lastName: 'Ruiz', email: 'eva@example.com' },
    amount: centavos(amount),
    returnUrl: 'https://shop.example/checkout/return/abc',
    tokens: {
      card_number: '5017-3321-0098-4410',
      cardholder_name: token,
      cvv: token,
      expiration_month: token,
      expiration_year: token,
    },
  };
}
