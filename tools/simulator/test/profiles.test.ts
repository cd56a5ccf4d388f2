/** The members of answers in each profile (interface, sections 2.2 to 2.4). */
import { expect, test } from '@jest/globals';
import { cards, createPayment, createSession, readPayment, readSession, start } from './support.js';

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

  expect(membersOf(pending)).toEqual(new Set(SESSION));
  for (const { id } of [pending, cancelled, expired])
    expect(membersOf(await readSession(sim, id))).toEqual(new Set(ABBREVIATED));
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

test.each(['interface', 'minimal', 'public-docs'] as const)(
  'in the profile %s an absent external_id or return_url is not null in answers',
  async (profile) => {
    await using sim = await start({ profile });
    const success_url = 'https://shop.example/thanks';

    const created = await createSession(sim, { external_id: undefined, return_url: undefined, success_url });

    for (const session of [created, await readSession(sim, created.id)])
      expect([session.external_id, session.return_url]).toEqual([undefined, undefined]);
  },
);
