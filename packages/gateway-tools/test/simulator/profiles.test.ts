/** The members of answers in each profile (interface, sections 2.2 to 2.4). */
import { expect, test } from '@jest/globals';
import {
  call,
  cards,
  createPayment,
  createSession,
  page,
  paymentBody,
  readPayment,
  readSession,
  sessionBody,
  start,
} from './support.js';

const ABBREVIATED = [
  'id',
  'url',
  'status',
  'payment_id',
  'amount_total',
  'currency',
  'external_id',
  'transaction_status',
];
const SESSION = [
  ...ABBREVIATED,
  'expires_at',
  'session_type',
  'checkout_type',
  'success_url',
  'return_url',
  'pending_url',
  'metadata',
  'payment_method_types',
  'ui_config',
  'ui_config_version',
  'created_at',
  'modified_at',
  'paid_at',
  'customer',
  'line_items',
  'provider',
];
const PAYMENT = ['id', 'operation_type', 'status', 'amount', 'currency', 'payment_id', 'transaction_id', 'created_at'];

const membersOf = (body: object) => new Set(Object.keys(body));

test('in the profile minimal a new session has all listed members and its lookups have the abbreviated ones', async () => {
  await using sim = await start({ profile: 'minimal' });
  const [pending, cancelled, expired, paid] = [
    await createSession(sim),
    await createSession(sim),
    await createSession(sim),
    await createSession(sim),
  ];
  sim.control.cancelSession(cancelled.id);
  sim.control.expireSession(expired.id);
  sim.control.paySession(paid.id);

  const unpaid = (members: readonly string[]) => new Set(members.filter((name) => name !== 'payment_id'));
  expect(membersOf(pending)).toEqual(unpaid(SESSION));
  for (const { id } of [pending, cancelled, expired])
    expect(membersOf(await readSession(sim, id))).toEqual(unpaid(ABBREVIATED));
  expect(membersOf(await readSession(sim, paid.id))).toEqual(new Set([...ABBREVIATED, 'paid_at']));
});

test('in the profile minimal a payment and its transaction have the listed members, and the final status', async () => {
  await using sim = await start({ profile: 'minimal' });

  const paid = await createPayment(sim);
  expect(membersOf(paid)).toEqual(new Set(PAYMENT));
  expect(await readPayment(sim, paid.id)).toEqual({ ...paid, status: 'authorized' });

  const challenged = await createPayment(sim, cards.challenge);
  expect(membersOf(challenged)).toEqual(new Set([...PAYMENT, 'next_action']));
  expect(challenged.next_action).toEqual({ redirect_to_url: { url: expect.any(String) } });
  sim.control.approve(challenged.id);
  const { next_action, ...answered } = challenged;
  expect(await readPayment(sim, challenged.id)).toEqual({ ...answered, status: 'authorized' });
});

test.each([
  ['minimal', 'string', false],
  ['interface', 'string', true],
  ['public-docs', 'number', true],
] as const)(
  'in the profile %s transaction_id is a %s, and the reference is in the transaction: %j',
  async (profile, type, hasReference) => {
    await using sim = await start({ profile });

    const { id } = await createPayment(sim);
    const transaction = await readPayment(sim, id);

    expect(typeof transaction.transaction_id).toBe(type);
    expect(typeof transaction.payment_id).toBe('number');
    expect('client_reference' in transaction).toBe(hasReference);
  },
);

test.each(['interface', 'public-docs'] as const)(
  'in the profile %s an absent external_id or return_url is not null in answers',
  async (profile) => {
    await using sim = await start({ profile });
    const success_url = 'https://shop.example/thanks';

    const created = await createSession(sim, { external_id: undefined, return_url: undefined, success_url });

    for (const session of [created, await readSession(sim, created.id)])
      expect([session.external_id, session.return_url]).toEqual([undefined, undefined]);
  },
);

const SESSIONS = '/checkout/v1/sessions';
const PROCESS = 'POST /api/v1/process/';
const PROFILES = ['interface', 'minimal', 'public-docs'] as const;

test('in the profile minimal return_url is a text, also without one in the request', async () => {
  await using sim = await start({ profile: 'minimal' });
  const success_url = 'https://shop.example/thanks';

  expect(await createSession(sim, { return_url: undefined, success_url })).toMatchObject({ return_url: success_url });
});

test('in the profile minimal a refund is refused, and no answer is repeated', async () => {
  await using sim = await start({ profile: 'minimal' });
  const body = paymentBody(sim);
  const headers = { 'X-Request-Id': 'request-1' };
  const first = await call(sim, PROCESS, { body, headers });
  const second = await call(sim, PROCESS, { body, headers });
  const refund = { operation_type: 'refund', amount: 249.9, currency: 'MXN', original_transaction_id: first.body.id };
  const session = { body: sessionBody({ external_id: undefined }), headers: { 'x-idempotency-key': 'attempt-1' } };
  const sessions = [await call(sim, `POST ${SESSIONS}`, session), await call(sim, `POST ${SESSIONS}`, session)];

  expect(second.body.id).not.toBe(first.body.id);
  expect(sim.control.ledger()).toHaveLength(2);
  expect((await call(sim, PROCESS, { body: refund })).status).toBe(400);
  expect(sim.control.refunds()).toEqual([]);
  expect(new Set(sessions.map((each) => each.body.id)).size).toBe(2);
});

test.each([
  ['minimal', 'card', 422],
  ['minimal', 'CARD', 201],
  ['public-docs', 'card', 201],
] as const)(
  'in the profile %s the type %s of a payment method is answered with %d',
  async (profile, type, expected) => {
    await using sim = await start({ profile });
    const body = paymentBody(sim);

    const { status } = await call(sim, PROCESS, {
      body: { ...body, payment_method: { ...body.payment_method, type } },
    });

    expect(status).toBe(expected);
  },
);

test.each([
  ['minimal', 201, 200, 404],
  ['interface', 201, 200, 200],
] as const)('in the profile %s the two addresses of sessions answer %d, %d and %d', async (profile, ...expected) => {
  await using sim = await start({ profile });

  const { status, body } = await call(sim, `POST /api/v1${SESSIONS}`, { body: sessionBody() });
  const reads = [`GET ${SESSIONS}/${body.id}`, `GET /api/v1${SESSIONS}/${body.id}`];

  expect([status, ...(await Promise.all(reads.map(async (each) => (await call(sim, each)).status)))]).toEqual(expected);
});

test.each([
  ['minimal', 1_799, 422],
  ['minimal', 1_801, 201],
  ['minimal', 86_399, 201],
  ['minimal', 86_401, 422],
  ['interface', 1_796, 201],
] as const)('in the profile %s expires_at in %d seconds is answered with %d', async (profile, seconds, expected) => {
  const now = Date.UTC(2027, 0, 1);
  await using sim = await start({ profile, now: () => now });

  const { status } = await call(sim, `POST ${SESSIONS}`, { body: sessionBody({ expires_at: now / 1000 + seconds }) });

  expect(status).toBe(expected);
});

test.each(PROFILES)('in the profile %s tokens of two cards together are refused', async (profile) => {
  await using sim = await start({ profile });
  const { cvv } = sim.control.tokenizeCard(cards.declined);
  const body = paymentBody(sim);

  const { status } = await call(sim, PROCESS, { body: { ...body, payment_method: { ...body.payment_method, cvv } } });

  expect([status, sim.control.payments()]).toEqual([422, []]);
});

test.each(PROFILES)('in the profile %s metadata is returned whatever its names', async (profile) => {
  await using sim = await start({ profile });
  const metadata = '{"__proto__":{"a":1},"constructor":"x","toString":[1],"":null,"ñ":"€"}';
  const body = JSON.stringify(sessionBody()).replace('{', `{"metadata":${metadata},`);

  const created = await call(sim, `POST ${SESSIONS}`, { body });

  expect(JSON.stringify(created.body.metadata)).toBe(metadata);
});

test.each(PROFILES)('in the profile %s the same idempotency key with another body is refused', async (profile) => {
  await using sim = await start({ profile });
  const payment = { 'X-Request-Id': 'request-1' };
  const session = { 'x-idempotency-key': 'attempt-1' };
  await call(sim, PROCESS, { body: paymentBody(sim), headers: payment });
  await call(sim, `POST ${SESSIONS}`, { body: sessionBody(), headers: session });

  const answers = [
    await call(sim, PROCESS, { body: paymentBody(sim), headers: payment }),
    await call(sim, `POST ${SESSIONS}`, { body: sessionBody({ amount_total: 1 }), headers: session }),
  ];

  for (const { status, body } of answers) expect([status, body.error.code]).toEqual([422, 'idempotency_conflict']);
});

test.each(PROFILES)('in the profile %s a wrong type is not called missing, and a missing field is', async (profile) => {
  await using sim = await start({ profile });
  const codeOf = async (changes: Record<string, unknown>) =>
    (await call(sim, `POST ${SESSIONS}`, { body: sessionBody(changes) })).body.error.code;

  expect(await codeOf({ amount_total: '100' })).toBe('invalid_amount');
  for (const changes of [{ customer: 'Eva' }, { line_items: {} }, { metadata: [] }, { expires_at: null }])
    expect(await codeOf(changes)).toBe('validation_error');
  expect(await codeOf({ customer: undefined })).toBe('missing_field');
});

test.each([
  ['es', 'Reglas propias del simulador'],
  ['en', 'The simulator’s own rules'],
])('the start page links the list of the simulator’s own rules, in %s', async (language, title) => {
  await using sim = await start();

  const rules = await page(sim, '/rules', undefined, language);

  expect((await page(sim, '/', undefined, language)).text).toContain('href="/rules"');
  expect(rules.status).toBe(200);
  expect(rules.text).toContain(`<h1>${title}</h1>`);
});
