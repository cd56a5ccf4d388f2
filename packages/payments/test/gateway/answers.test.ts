import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { Fault } from '@tianguis/gateway-tools';
import { centavos } from '@tianguis/payments/rules';
import { CARDS } from '../../../../test/support/purchase.js';
import { profileOfThisRun } from '../../../../test/support/test-shop.js';
import { readPaymentStatus, readSessionStatus } from '../../src/gateway/status.js';
import type { PaymentReviewReason } from '../../src/rules/order.js';
import {
  type ExpectedPayment,
  evaluatePayment,
  type GatewayPayment,
  type PaymentStatus,
} from '../../src/rules/payment.js';
import { errorOf, newPayment, newSession, openTestGateway, pay, raw, rewrite, sessionRequest } from './support.js';

const amount = centavos(15_000);

const client = await openTestGateway();
const { control } = client.simulator;
afterEach(() => {
  control.reset();
  control.setProfile(profileOfThisRun());
});
afterAll(async () => client[Symbol.asyncDispose]());

const evaluate = (payment: GatewayPayment, own: Pick<ExpectedPayment, 'gatewayId' | 'reference'>) =>
  evaluatePayment(payment, { ...own, amount, idSource: 'answer', awaitsBank: false }, 'offered');

/** Returns the payment result of a paid session whose lookup has a fault. */
async function evaluateSession(fault?: Fault) {
  const request = sessionRequest();
  const { gatewayId: id } = await client.gateway.startSession(request, Date.now());
  control.paySession(id);
  if (fault) control.fault('read-session', fault);
  const { reference } = request;
  return evaluate(await client.gateway.lookUp('hosted', id), { gatewayId: id, reference });
}

/** Returns the payment result of a paid card payment whose lookup has a fault. */
async function evaluateCardPayment(fault?: Fault) {
  const id = await newPayment(client);
  if (fault) control.fault('read-transaction', fault);
  return evaluate(await client.gateway.lookUp('card', id), { gatewayId: id, reference: 'TG-7KMX-2AFR-2' });
}

/** Sends a card payment whose answer has a fault. */
async function payWith(fault: Fault, card?: string) {
  control.fault('process', fault);
  const processed = await pay(client, card === undefined ? {} : { card });
  return { processed, id: control.payments().at(-1)?.id };
}

const SESSION_STATUSES: readonly (readonly [string, readonly PaymentStatus[]])[] = [
  ['pending', ['pending', 'unclear', 'pending', 'pending', 'pending']],
  ['completed', ['unclear', 'paid', 'unclear', 'unclear', 'unclear']],
  ['expired', ['expired', 'unclear', 'expired', 'expired', 'expired']],
  ['cancelled', ['cancelled', 'unclear', 'cancelled', 'cancelled', 'cancelled']],
  ['canceled', ['cancelled', 'unclear', 'cancelled', 'cancelled', 'cancelled']],
];
const TRANSACTION_STATUSES = ['Pending', 'Success', 'Declined', 'Expired', undefined] as const;

test.each(SESSION_STATUSES)('the session status %s is mapped, in any case', (word, expected) => {
  for (const cased of [String, (text: string) => text.toUpperCase(), (text: string) => text.toLowerCase()])
    expect(TRANSACTION_STATUSES.map((other) => readSessionStatus(cased(word), other && cased(other)))).toEqual(
      expected,
    );
});

test.each(['', ' completed', 'completed ', 'paid', 'c\u043empleted', '__proto__', 'constructor'])(
  'the session status %j is unknown with any transaction status',
  (word) => {
    for (const other of TRANSACTION_STATUSES) expect(readSessionStatus(word, other)).toBe('processing');
    expect(readSessionStatus('completed', word)).toBe('unclear');
  },
);

test.each<[PaymentStatus, readonly string[]]>([
  ['paid', ['authorized', 'success', 'paid_full']],
  ['pending', ['pending']],
  ['processing', ['processing', 'sent_to_provider', 'in_transit', 'on_hold']],
  ['declined', ['declined', 'rejected', 'failed']],
  ['expired', ['expired']],
  ['cancelled', ['canceled', 'cancelled']],
  ['unclear', ['', 'unknown', 'refunded', 'authorised', 'completed', ' success', '__proto__', 'toString']],
])('the card payment statuses with the meaning %s are recognized in any case', (expected, words) => {
  for (const word of words) {
    const cased = [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)];
    expect(cased.map(readPaymentStatus)).toEqual([expected, expected, expected]);
  }
});

const OPTIONAL_MEMBERS = Object.fromEntries(
  'expires_at session_type checkout_type success_url return_url pending_url metadata payment_method_types ui_config ui_config_version created_at modified_at customer line_items provider url'
    .split(' ')
    .map((name) => [name, undefined]),
);

test.each<[string, Fault | undefined]>([
  ['all members', undefined],
  ['unknown members', rewrite({ extra: { deep: [1] }, provider: 7, payment_id: 'x', metadata: null })],
  ['required members only', rewrite(OPTIONAL_MEMBERS)],
  ['a URL of the wrong type', rewrite({ url: 7 })],
  ['an amount written as text', rewrite({ amount_total: '15000' })],
  ['statuses in capitals', rewrite({ status: 'COMPLETED', transaction_status: 'SUCCESS' })],
  ['prototype members', rewrite({ 'constructor.prototype.x': 1, toString: 1, hasOwnProperty: 1 })],
  ['an own member __proto__', rewrite(JSON.parse('{"__proto__":{"x":1,"status":"expired"}}'))],
])('a paid session answered with %s is paid', async (_what, fault) => {
  expect(await evaluateSession(fault)).toEqual({ kind: 'paid' });
  expect(({} as { x?: unknown }).x).toBeUndefined();
});

test.each(['settled', ' completed'])(
  'a paid session whose status is %j is pending until its offer ends',
  async (status) => {
    expect(await evaluateSession(rewrite({ status }))).toEqual({ kind: 'pending' });
  },
);

type Change = readonly [member: string, value: unknown, reason: PaymentReviewReason];

const changes = (member: string, reason: PaymentReviewReason, values: readonly unknown[]): Change[] =>
  values.map((value) => [member, value, reason]);

test.each<Change>([
  ['id', 'cs_other', 'other_id'],
  ...changes('amount_total', 'other_amount', [14_999, 15_001, 150, '15000.0', ' 15000', 15_000.5, -15_000, 1e300]),
  ...changes('amount_total', 'other_amount', [[15_000], null, undefined]),
  ...changes('currency', 'other_currency', ['USD', 'mxn', ['MXN'], undefined]),
  ...changes('external_id', 'other_reference', ['TG-7KMX-2AFX', ['TG-7KMX-2AFR'], null, undefined]),
  ...changes('transaction_status', 'unclear_status', ['Declined', undefined]),
])('a paid session whose %s is %j goes to review as %s', async (member, value, reason) => {
  expect(await evaluateSession(rewrite({ [member]: value }))).toEqual({ kind: 'review', reason });
});

test.each<[string, unknown]>([
  ...[undefined, null, 7, ''].map((id): [string, unknown] => ['id', id]),
  ...[undefined, ['completed'], {}].map((word): [string, unknown] => ['status', word]),
  ['transaction_status', 1],
])('a session whose %s is %j is a bad answer', async (member, value) => {
  const id = await newSession(client.gateway);
  control.paySession(id);
  control.fault('read-session', rewrite({ [member]: value }));

  const error = await errorOf(client.gateway.lookUp('hosted', id));

  expect(error).toMatchObject({ code: 'bad_answer', reason: 'shape' });
});

test.each([
  ['15000.0', 'paid'],
  ['1.5e4', 'paid'],
  ['15000.0000001', 'review'],
  ['1e309', 'review'],
])('a paid session whose amount is written %s is %s', async (written, kind) => {
  const body = `{"id":"cs_1","status":"completed","transaction_status":"Success","amount_total":${written},"currency":"MXN","external_id":"TG"}`;
  control.fault('read-session', raw(body));

  const payment = await client.gateway.lookUp('hosted', 'cs_1');

  expect(evaluate(payment, { gatewayId: 'cs_1', reference: 'TG' }).kind).toBe(kind);
});

test.each<[string, Fault | undefined]>([
  ['all members', undefined],
  ['a numeric amount', rewrite({ amount: 150 })],
  ['an amount with two decimals', rewrite({ amount: '150.00' })],
  ['an amount with four decimals', rewrite({ amount: '150.0000' })],
  ['a numeric transaction id', rewrite({ transaction_id: 77 })],
  ['no transaction id', rewrite({ transaction_id: undefined, payment_id: undefined, created_at: undefined })],
  ['merchant_reference', rewrite({ merchant_reference: 'TG-7KMX-2AFR-2', client_reference: undefined })],
  ['no reference', rewrite({ client_reference: undefined })],
  ['a status in capitals', rewrite({ status: 'AUTHORIZED' })],
  ['unknown members', rewrite({ psp_response: { a: [1] }, next_action: 'none' })],
])('a paid card payment answered with %s is paid', async (_what, fault) => {
  expect(await evaluateCardPayment(fault)).toEqual({ kind: 'paid' });
});

test.each<Change>([
  ['id', 'other', 'other_id'],
  ...changes('amount', 'other_amount', [149.99, 15_000, '150.001', 149.99999999999997, '1.5e2', '+150.00']),
  ...changes('amount', 'other_amount', ['150,00', null, undefined]),
  ...changes('currency', 'other_currency', ['USD', undefined]),
  ...changes('client_reference', 'other_reference', ['TG-7KMX-2AFR', '', 7, null]),
  ...changes('merchant_reference', 'other_reference', ['TG-7KMX-2AFR', null]),
  ['status', 'refunded', 'unclear_status'],
])('a paid card payment whose %s is %j goes to review as %s', async (member, value, reason) => {
  expect(await evaluateCardPayment(rewrite({ [member]: value }))).toEqual({ kind: 'review', reason });
});

test.each<[Record<string, unknown>, 'mismatch' | 'unsafe_url']>([
  [{ amount_total: 14_999 }, 'mismatch'],
  [{ currency: 'USD' }, 'mismatch'],
  [{ external_id: 'TG-OTHER' }, 'mismatch'],
  [{ external_id: undefined }, 'mismatch'],
  [{ status: 'completed', transaction_status: 'Success' }, 'mismatch'],
  [{ url: 'javascript:alert(1)' }, 'unsafe_url'],
  [{ url: 'http://page.example/checkout/cs_1' }, 'unsafe_url'],
  [{ url: 7 }, 'unsafe_url'],
  [{ url: '' }, 'unsafe_url'],
  [{ url: undefined }, 'unsafe_url'],
])('a new session answered with %j is unusable as %s and known by its id', async (members, fault) => {
  control.fault('create-session', rewrite(members));

  const session = await client.gateway.startSession(sessionRequest(), Date.now());

  expect(session).toEqual({ kind: 'unusable', gatewayId: control.sessions().at(-1)?.id, fault });
});

test.each(['https://page.example:8443', 'http://localhost:9'])(
  'a new session on the other origin %s is unusable and names the origin',
  async (origin) => {
    control.fault('create-session', rewrite({ url: `${origin}/checkout/cs_1?x=1` }));

    const session = await client.gateway.startSession(sessionRequest(), Date.now());

    expect(session).toEqual({
      kind: 'unusable',
      gatewayId: control.sessions().at(-1)?.id,
      fault: 'page_origin',
      origin,
    });
  },
);

test('a new session and a bank page with an address of 4,096 characters are used', async () => {
  const base = `${client.simulator.url}/`;
  const url = base + 'a'.repeat(4_096 - base.length);
  control.fault('create-session', rewrite({ url }));
  control.fault('process', rewrite({ next_action: { redirect_to_url: { url } } }));

  const session = await client.gateway.startSession(sessionRequest(), Date.now());
  const processed = await pay(client, { card: CARDS.challenged });

  expect(session).toMatchObject({ kind: 'open', url });
  expect(processed).toMatchObject({ kind: 'known', bankUrl: url });
});

test('a new session with HTTP 200 or without an id is a bad answer', async () => {
  control.fault('create-session', { ...raw('{"id":"cs_1","status":"pending"}'), status: 200 } as Fault, 1);
  control.fault('create-session', rewrite({ id: undefined }), 1);

  const errors = [await errorOf(newSession(client.gateway)), await errorOf(newSession(client.gateway))];

  expect(errors).toMatchObject([
    { code: 'bad_answer', status: 200 },
    { code: 'bad_answer', status: 201 },
  ]);
});

test('a card payment that requires 3D Secure has the bank URL', async () => {
  const processed = await pay(client, { card: CARDS.challenged });

  const bankUrl = expect.stringContaining(`${client.simulator.url}/`);
  expect(processed).toMatchObject({ kind: 'known', bankUrl });
  expect(processed.kind === 'known' && readPaymentStatus(processed.payment.gatewayStatus)).toBe('pending');
});

test.each<[unknown, string]>([
  [{ redirect_to_url: { url: 'javascript:alert(1)' } }, 'bank_page_unsafe'],
  [{ redirect_to_url: { url: 'http://bank.example/3ds' } }, 'bank_page_unsafe'],
  [{ redirect_to_url: { url: 7 } }, 'bank_page_unreadable'],
  [null, 'bank_page_missing'],
  [{}, 'bank_page_unreadable'],
])('a card payment with the next action %j is known without a bank URL, as %s', async (next_action, bankFault) => {
  const { processed, id } = await payWith(rewrite({ next_action }), CARDS.challenged);

  expect(processed).toEqual({ kind: 'known', bankFault, payment: expect.objectContaining({ gatewayId: id }) });
});

test.each([200, 402] as const)('a decline with HTTP %d and an id is known', async (declineHttpStatus) => {
  // In the public-docs profile a 402 names no payment.
  control.setProfile('interface');
  control.settings({ declineHttpStatus });

  const id = await newPayment(client, CARDS.declined);

  const payment = await client.gateway.lookUp('card', id);
  const result = evaluate(payment, { gatewayId: id, reference: 'TG-7KMX-2AFR-2' });
  expect(result).toEqual({ kind: 'declined' });
});

test.each([
  ['card_declined', {}, 'card_declined'],
  ['CARD_DECLINED', {}, 'card_declined'],
  ['insufficient_funds', {}, 'insufficient_funds'],
  ['card_declined', { details: { decline_code: 'CH01' } }, 'card_declined/CH01'],
  ['card_declined', { details: { decline_code: '4000000000000002' } }, 'card_declined'],
  ['card_declined', { details: 'none', message: 7, type: null }, 'card_declined'],
])('a card payment answered 402 with the error %s and %j is declined', async (code, more, gatewayStatus) => {
  const body = { error: { code, ...more }, request_id: 'req_1' };
  const { processed } = await payWith({ kind: 'status', status: 402, body });

  expect(processed).toEqual({ kind: 'declined', gatewayStatus });
});

const DECLINED = { error: { code: 'card_declined' } };
const with402 = (body: string): Fault => ({ kind: 'raw', status: 402, body });

test.each([
  ...['', '{}', 'null', '[]', '<h1>Payment Required</h1>', '{"code":"card_declined"}', '{"id":null}'],
  ...['{"error":{"code":["card_declined"]}}', '{"error":{"code":"account_suspended","message":"card_declined"}}'],
])('a card payment answered 402 with %j names no payment and is declined', async (body) => {
  const { processed } = await payWith(with402(body));

  expect(processed).toEqual({ kind: 'declined', gatewayStatus: 'payment_required' });
});

test.each<[Fault, 'unknown' | 'refused']>([
  ...[{ id: undefined }, { id: null }, { id: 7 }, { status: ['authorized'] }].map((members): [Fault, 'unknown'] => [
    rewrite(members),
    'unknown',
  ]),
  [with402('{"id":7,"status":"declined"}'), 'unknown'],
  [with402('{"id":"1"}'), 'unknown'],
  [{ kind: 'status', status: 200, body: DECLINED }, 'unknown'],
  [{ kind: 'status', status: 422, body: DECLINED }, 'refused'],
])('a card payment with the answer %j is %s and not declined', async (fault, kind) => {
  const { processed } = await payWith(fault);

  const code = kind === 'unknown' ? 'bad_answer' : 'refused';
  expect(processed).toMatchObject({ kind, error: { code } });
});

test('the lookup of a declined card payment includes a valid decline code', async () => {
  const id = await newPayment(client, CARDS.declined);
  control.fault('read-transaction', rewrite({ decline_code: 'AH02' }), 1);
  control.fault('read-transaction', rewrite({ decline_code: { code: 'AH02' } }), 1);

  const payments = [await client.gateway.lookUp('card', id), await client.gateway.lookUp('card', id)];

  expect(payments.map((payment) => [payment.status, payment.gatewayStatus.toLowerCase()])).toEqual([
    ['declined', 'declined/ah02'],
    ['declined', 'declined'],
  ]);
});

test.each([
  [undefined, false],
  ['900', false],
  [-1, false],
  [60, false],
  [900, true],
])('an access token whose answer has expires_in %j is kept: %s', async (expires_in, isKept) => {
  control.fault('tokenization-auth', rewrite({ expires_in }), 1);

  const token = await client.gateway.accessToken();

  expect(client.gateway.keptAccessToken()).toBe(isKept ? token : undefined);
});

test.each([undefined, '', 7, 'a'.repeat(9000)])('an access token %j is refused', async (access_token) => {
  control.fault('tokenization-auth', rewrite({ access_token }));

  expect((await errorOf(client.gateway.accessToken())).code).toBe('bad_answer');
});
