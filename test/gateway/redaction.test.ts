import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Exchange, SeenExchange } from '../../src/gateway/exchange.js';
import { createPseudonyms } from '../../src/gateway/recording/pseudonyms.js';
import { recordedLine } from '../../src/gateway/recording/recorded-line.js';
import type { Line } from '../support/recording.js';

const SECRETS = {
  key: 'live_canary_key_of_this_shop',
  signing: 'CanarySigningSecret',
  firstName: 'Zenobia',
  lastName: 'Quetzalli',
  email: 'zenobia.q@correo.example',
  phone: '+52 55 1234 5678',
  card: '4000000000000077',
  grouped: '4000-0000-0000-0077',
  token: 'f3b1c1de-6f5a-4d0e-9a33-0c1f2f6f7a11',
  orderToken: 'aZbYcXdWeVfUgThSiRjQkPlOmNnMoLpK',
  returnUrl: 'https://shop.example/checkout/return/aZbYcXdWeVfUgThSiRjQkPlOmNnMoLpK',
  street: 'Avenida Insurgentes Sur 1602',
} as const;

const everywhere = {
  pseudonyms: createPseudonyms('a secret of these tests'),
  secrets: [SECRETS.key, SECRETS.signing],
  pages: { origins: ['https://pay.example'], allowLoopbackHttp: false },
};

const create: Exchange = {
  call: 'create-session',
  method: 'POST',
  url: `https://api.pay.example/${SECRETS.orderToken}/checkout/v1/sessions`,
  idempotency: { header: 'x-idempotency-key', key: SECRETS.token },
  headers: { 'X-Signature-Transaction': SECRETS.signing },
  body: JSON.stringify({
    customer: { first_name: SECRETS.firstName, last_name: SECRETS.lastName, email: SECRETS.email },
    amount_total: 28_900,
    currency: 'MXN',
    line_items: [{ name: SECRETS.street, quantity: 2, unit_price: 14_450, product_id: 'taza' }],
    external_id: 'TG-7KMX-2AFR',
    metadata: { order_number: 'TG-7KMX-2AFR' },
    success_url: SECRETS.returnUrl,
    return_url: SECRETS.returnUrl,
  }),
  deadlineMs: 1000,
};

const process: Exchange = {
  ...create,
  call: 'process-payment',
  body: JSON.stringify({
    operation_type: 'payment',
    amount: 289,
    currency: 'MXN',
    customer: { name: `${SECRETS.firstName} ${SECRETS.lastName}`, email: SECRETS.email },
    payment_method: { type: 'CARD', card_number: SECRETS.grouped, cvv: SECRETS.token },
    client_reference: 'TG-7KMX-2AFR-2',
    return_url: SECRETS.returnUrl,
  }),
};

interface Said {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

function written(exchange: Exchange, { status = 200, headers = {}, body }: Said): string {
  const seen: SeenExchange = {
    exchange,
    at: Date.UTC(2026, 10, 21),
    ms: 12,
    outcome: { answer: { status, headers, bytes: Buffer.from(body) } },
  };
  return recordedLine(seen, everywhere);
}

const line = (exchange: Exchange, said: Said): Line => JSON.parse(written(exchange, said));
const answered = (json: unknown): Line => line(create, { body: JSON.stringify(json) }).answer.json;

/** Names of the contract and others, where anything may stand. */
const NAMES = [
  ...['id', 'status', 'transaction_status', 'type', 'code', 'amount', 'amount_total', 'currency', 'url'],
  ...['external_id', 'client_reference', 'payment_id', 'created_at', 'expires_at', 'retry_after', 'message'],
  ...['customer', 'name', 'email', 'card_number', 'access_token', 'debug', 'status_code', 'provider'],
];

const secret = fc.constantFrom(...Object.values(SECRETS));
/** A secret in whatever dress a careless service gives it. */
const dressed = fc
  .tuple(
    secret,
    fc.constantFrom('', ' ', 'paid', 'for ', '"', 'x_', '0', '@', '/'),
    fc.integer({ min: 0, max: 4 }),
  )
  .map(([text, around, way]) => {
    const ways = [
      text,
      `${around}${text}`,
      `${text}${around}`,
      `${around}${text}${around}`,
      text.toUpperCase(),
    ];
    return ways[way] ?? text;
  });
const leaf = fc.oneof(
  dressed,
  fc.constantFrom(4_000_000_000_000_077, 5_512_345_678, true, null, 4000.000077),
);
const { tree: answer } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...NAMES), dressed), tie('tree'), { maxKeys: 5 }),
  ),
}));

function expectNoSecret(text: string): void {
  const small = text.toLowerCase();
  const leaked = Object.values(SECRETS).filter((value) => small.includes(value.toLowerCase()));
  expect(leaked).toEqual([]);
  // Nor in pieces: eight digits of a card or of a telephone in a row.
  expect(text.replace(/\\?"(?:at|text)\\?":|‹id [0-9a-f]{16}›/g, '')).not.toMatch(
    /40000000|00000077|12345678|5512345/,
  );
}

describe('a recording', () => {
  test.each([
    ['session', create],
    ['card payment', process],
  ])('of a %s holds no secret, wherever the service puts it', (_what, exchange) => {
    fc.assert(
      fc.property(answer, (json) => expectNoSecret(written(exchange, { body: JSON.stringify(json) }))),
      { numRuns: 500 },
    );
  });

  test('holds no secret of an answer that is no JSON', () => {
    fc.assert(
      fc.property(fc.array(dressed), fc.constantFrom('', '<p>', '{"id":"', '<!-- '), (texts, before) =>
        expectNoSecret(written(create, { status: 502, body: `${before}<i>${texts.join('</i><i>')}</i>` })),
      ),
      { numRuns: 500 },
    );
  });

  test('holds no secret of a header', () => {
    fc.assert(
      fc.property(
        dressed,
        fc.constantFrom('date', 'content-type', 'retry-after', 'set-cookie'),
        (text, name) => expectNoSecret(written(create, { headers: { [name]: text }, body: '' })),
      ),
    );
  });

  test('shows what was asked for, and of the rest names and types', () => {
    expect(line(create, { body: '{}' }).request).toEqual({
      method: 'POST',
      path: '/checkout/v1/sessions',
      key: expect.stringMatching(/^‹id [0-9a-f]{16}›$/),
      body: {
        customer: { first_name: '‹text of 7›', last_name: '‹text of 9›', email: '‹text of 24›' },
        amount_total: 28_900,
        currency: 'MXN',
        line_items: [
          {
            name: '‹text of 28›',
            quantity: 2,
            unit_price: 14_450,
            product_id: expect.stringMatching(/^‹id /),
          },
        ],
        external_id: expect.stringMatching(/^‹id /),
        metadata: { order_number: expect.stringMatching(/^‹id /) },
        success_url: '‹text of 69›',
        return_url: '‹text of 69›',
      },
    });
  });

  test('keeps the words, amounts, currencies and times of the contract', () => {
    const said = {
      status: 'completed',
      transaction_status: 'Success',
      amount_total: 28_900,
      amount: '289.0000',
      currency: 'MXN',
      expires_at: 1_795_000_000,
      paid_at: 1_795_000_000_123,
      created_at: '2026-11-21T19:54:49.123456+00:00',
      error: { code: 'insufficient_funds', retry_after: 30 },
      is_live: true,
      next: null,
    };

    expect(answered(said)).toEqual(said);
  });

  test('keeps names and types of what nobody knows', () => {
    expect(answered({ note: 'hello', level: 7, inner: { big: [1, 'two', { x: '' }] } })).toEqual({
      note: '‹text of 5›',
      level: 0,
      inner: { big: [0, '‹text of 3›', { x: '' }] },
    });
  });

  test('keeps which ids are equal, over calls and processes', () => {
    const then = line(create, { body: '{"id":"cs_1","external_id":"TG-7KMX-2AFR","payment_id":77}' });
    const { id, external_id, payment_id } = then.answer.json;
    const read: Exchange = { ...create, call: 'read-session', method: 'GET', id: 'cs_1' };
    const later = line(read, { body: '{"id":"cs_2","external_id":"TG-7KMX-2AFR","payment_id":77}' });

    expect(external_id).toBe(then.request.body.external_id);
    expect(later.request.id).toBe(id);
    expect(later.answer.json).toEqual({ id: expect.not.stringMatching(id), external_id, payment_id });
    expect(createPseudonyms('another secret').text('cs_1')).not.toBe(id);
  });

  test.each([
    ['https://pay.example/checkout/cs_1', '‹page address of 33›'],
    ['https://bank.example/3ds', '‹web address of 24›'],
    ['javascript:alert(1)', '‹unsafe address of 19›'],
  ])('says of the address %s no more than whether a shopper may go there', (url, told) => {
    expect(answered({ url })).toEqual({ url: told });
  });

  test('keeps of a page its known words, its marks and its length', () => {
    const body = '<html><h1>502 Bad Gateway</h1> Zenobia, call 55 1234!</html>';

    expect(line(create, { status: 502, headers: { 'content-type': 'text/html' }, body }).answer).toEqual({
      status: 502,
      headers: { 'content-type': 'text/html' },
      bytes: 60,
      text: '<html><h1>000 Bad Gateway</h1> xxxxxxx, xxxx 00 0000!</html>',
    });
  });

  test('of a page keeps the beginning only', () => {
    const { text, bytes } = line(create, { body: `<p>${'a '.repeat(20_000)}` }).answer;

    expect([text.length, bytes]).toEqual([2000, 40_003]);
  });

  test.each([
    ['bytes that are no text', Buffer.from([0x7b, 0xff, 0x7d])],
    ['nesting beyond measure', '['.repeat(30_000)],
    ['nested objects beyond measure', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
    ['a member called __proto__', '{"__proto__":{"x":1}}'],
    ['nothing', ''],
  ])('is not upset by %s', (_what, body) => {
    expect(line(create, { body }).answer.status).toBe(200);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});
