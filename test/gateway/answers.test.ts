import { describe, expect, test } from '@jest/globals';
import { centavos } from '../../src/domain/money.js';
import type { PaymentReviewReason } from '../../src/domain/order.js';
import { evaluatePayment, type PaymentStatus } from '../../src/domain/payment.js';
import { readPaymentStatus, readSessionStatus } from '../../src/gateway/status.js';
import type { Fault } from '../../tools/simulator/faults.js';
import {
  faultOf,
  newPayment,
  newSession,
  openPeer,
  type Peer,
  paymentRequest,
  sessionRequest,
  unhurried,
} from './support.js';

const set = (members: Record<string, unknown>): Fault => ({ kind: 'rewrite', set: members });
const without = (...remove: string[]): Fault => ({ kind: 'rewrite', set: {}, remove });
const amount = centavos(15_000);

/** The result on a paid session whose answer was spoilt. */
async function judgeSession(fault?: Fault) {
  await using peer = await openPeer({ deadlines: unhurried });
  const id = await newSession(peer.gateway);
  peer.simulator.control.paySession(id);
  if (fault) peer.simulator.control.fault('read-session', fault);
  return evaluatePayment(await peer.gateway.readSession(id), { id, amount, reference: 'TG-7KMX-2AFR' });
}

/** The result on a paid card payment whose lookup was spoilt. */
async function judgePayment(fault?: Fault) {
  await using peer = await openPeer({ deadlines: unhurried });
  const id = await newPayment(peer);
  if (fault) peer.simulator.control.fault('read-transaction', fault);
  return evaluatePayment(await peer.gateway.readTransaction(id), { id, amount, reference: 'TG-7KMX-2AFR-2' });
}

const hold = (reason: PaymentReviewReason) => ({ kind: 'review', reason });

describe('the words for a session', () => {
  const WORDS = ['pending', 'completed', 'expired', 'cancelled'] as const;
  const TRANSACTIONS = ['Pending', 'Success', 'Declined', 'Expired', undefined] as const;
  const known: Record<(typeof WORDS)[number], readonly PaymentStatus[]> = {
    pending: ['pending', 'unclear', 'pending', 'pending', 'pending'],
    completed: ['unclear', 'paid', 'unclear', 'unclear', 'unclear'],
    expired: ['expired', 'unclear', 'expired', 'expired', 'expired'],
    cancelled: ['cancelled', 'unclear', 'cancelled', 'cancelled', 'cancelled'],
  };

  test.each(WORDS)('%s is read with each word for its transaction, in any case', (word) => {
    for (const write of [
      (text: string) => text,
      (text: string) => text.toUpperCase(),
      (text: string) => text.toLowerCase(),
    ]) {
      expect(TRANSACTIONS.map((other) => readSessionStatus(write(word), other && write(other)))).toEqual(
        known[word],
      );
    }
  });

  test.each([
    '',
    ' completed',
    'completed ',
    'complete',
    'paid',
    'c\u043empleted',
    '__proto__',
    'constructor',
    'toString',
  ])('%j is unclear', (word) => {
    expect(TRANSACTIONS.map((other) => readSessionStatus(word, other))).toEqual(
      TRANSACTIONS.map(() => 'unclear'),
    );
    expect(readSessionStatus('completed', word)).toBe('unclear');
    expect(readSessionStatus('success', word)).toBe('unclear');
  });
});

describe('the words for a card payment', () => {
  test.each<[PaymentStatus, readonly string[]]>([
    ['paid', ['authorized', 'success', 'paid_full']],
    ['pending', ['pending', 'processing', 'sent_to_provider', 'in_transit', 'on_hold']],
    ['declined', ['declined', 'rejected', 'failed']],
    ['expired', ['expired']],
    ['cancelled', ['canceled', 'cancelled']],
  ])('%s has its words, in any case', (status, words) => {
    for (const word of words) {
      const written = [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)];
      expect(written.map(readPaymentStatus)).toEqual([status, status, status]);
    }
  });

  test.each([
    '',
    'unknown',
    'Unknown',
    'refunded',
    'authorised',
    'completed',
    'ok',
    'true',
    ' success',
    '__proto__',
    'hasOwnProperty',
  ])('%j is unclear', (word) => {
    expect(readPaymentStatus(word)).toBe('unclear');
  });
});

describe('a paid session', () => {
  test('is paid when the answer is as promised', async () => {
    expect(await judgeSession()).toEqual({ kind: 'paid' });
  });

  test.each<[string, Fault]>([
    [
      'members that nobody knows',
      set({ extra: { deep: [1] }, provider: 7, payment_id: 'x', paid_at: 'now', metadata: null }),
    ],
    [
      'the abbreviated members only',
      without(
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
        'customer',
        'line_items',
        'provider',
      ),
    ],
    ['no address', without('url')],
    ['an address of the wrong type', set({ url: 7 })],
    ['words in capitals', set({ status: 'COMPLETED', transaction_status: 'SUCCESS' })],
    [
      'members named after prototypes',
      set({ __proto__x: 1, 'constructor.prototype.x': 1, toString: 1, hasOwnProperty: 1 }),
    ],
    ['an own member called __proto__', set(JSON.parse('{"__proto__":{"x":1,"status":"expired"}}'))],
  ])('is paid with %s', async (_what, fault) => {
    expect(await judgeSession(fault)).toEqual({ kind: 'paid' });
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  test.each<[string, Fault, PaymentReviewReason]>([
    ['another id', set({ id: 'cs_other' }), 'other_id'],
    ['a centavo less', set({ amount_total: 14_999 }), 'other_amount'],
    ['a centavo more', set({ amount_total: 15_001 }), 'other_amount'],
    ['pesos for centavos', set({ amount_total: 150 }), 'other_amount'],
    ['the amount as text', set({ amount_total: '15000' }), 'other_amount'],
    ['a fraction of a centavo', set({ amount_total: 15_000.5 }), 'other_amount'],
    ['an amount below zero', set({ amount_total: -15_000 }), 'other_amount'],
    ['an amount too large', set({ amount_total: 1e300 }), 'other_amount'],
    ['a list for the amount', set({ amount_total: [15_000] }), 'other_amount'],
    ['null for the amount', set({ amount_total: null }), 'other_amount'],
    ['no amount', without('amount_total'), 'other_amount'],
    ['another currency', set({ currency: 'USD' }), 'other_currency'],
    ['the currency in small letters', set({ currency: 'mxn' }), 'other_currency'],
    ['no currency', without('currency'), 'other_currency'],
    ['a list for the currency', set({ currency: ['MXN'] }), 'other_currency'],
    ['another reference', set({ external_id: 'TG-7KMX-2AFX' }), 'other_reference'],
    ['null for the reference', set({ external_id: null }), 'other_reference'],
    ['no reference', without('external_id'), 'other_reference'],
    ['a list for the reference', set({ external_id: ['TG-7KMX-2AFR'] }), 'other_reference'],
    ['a contradiction', set({ transaction_status: 'Declined' }), 'unclear_status'],
    ['no word for its transaction', without('transaction_status'), 'unclear_status'],
    ['a word nobody knows', set({ status: 'settled' }), 'unclear_status'],
    ['a blank before its word', set({ status: ' completed' }), 'unclear_status'],
  ])('with %s is held', async (_what, fault, reason) => {
    expect(await judgeSession(fault)).toEqual(hold(reason));
  });

  test.each<[string, Fault]>([
    ['no id', without('id')],
    ['null for its id', set({ id: null })],
    ['a number for its id', set({ id: 7 })],
    ['an empty id', set({ id: '' })],
    ['no word', without('status')],
    ['a list for its word', set({ status: ['completed'] })],
    ['an object for its word', set({ status: {} })],
    ['true for its word', set({ status: true })],
    ['a number for the word of its transaction', set({ transaction_status: 1 })],
    ['a word without end', set({ status: 'completed'.repeat(50) })],
  ])('with %s is no session at all', async (_what, fault) => {
    await using peer = await openPeer({ deadlines: unhurried });
    const id = await newSession(peer.gateway);
    peer.simulator.control.paySession(id);
    peer.simulator.control.fault('read-session', fault);

    expect(await faultOf(peer.gateway.readSession(id))).toMatchObject({
      code: 'bad_answer',
      reason: 'shape',
    });
  });

  test.each([
    ['15000.0', 'paid'],
    ['1.5e4', 'paid'],
    ['15000.0000001', 'review'],
    ['1e309', 'review'],
  ])('with its amount written %s is %s', async (written, kind) => {
    const body = `{"id":"cs_1","status":"completed","transaction_status":"Success","amount_total":${written},"currency":"MXN","external_id":"TG"}`;
    await using peer = await openPeer({ deadlines: unhurried });
    peer.simulator.control.fault('read-session', { kind: 'raw', body });

    const evidence = await peer.gateway.readSession('cs_1');

    expect(evaluatePayment(evidence, { id: 'cs_1', amount, reference: 'TG' }).kind).toBe(kind);
  });
});

describe('a paid card payment', () => {
  test('is paid when the lookup is as promised', async () => {
    expect(await judgePayment()).toEqual({ kind: 'paid' });
  });

  test.each<[string, Fault]>([
    ['the amount as a number', set({ amount: 150 })],
    ['the amount as text', set({ amount: '150.00' })],
    ['the amount as text with four decimals', set({ amount: '150.0000' })],
    ['its transaction id as text', set({ transaction_id: '77' })],
    ['its transaction id as a number', set({ transaction_id: 77 })],
    ['no transaction id', without('transaction_id', 'payment_id', 'created_at', 'operation_type')],
    [
      'the reference under its other name',
      { kind: 'rewrite', set: { merchant_reference: 'TG-7KMX-2AFR-2' }, remove: ['client_reference'] },
    ],
    ['the word in any case', set({ status: 'AUTHORIZED' })],
    ['members nobody knows', set({ psp_response: { a: [1] }, next_action: 'none' })],
  ])('is paid with %s', async (_what, fault) => {
    expect(await judgePayment(fault)).toEqual({ kind: 'paid' });
  });

  test.each<[string, Fault, PaymentReviewReason]>([
    ['another id', set({ id: 'other' }), 'other_id'],
    ['a centavo less', set({ amount: 149.99 }), 'other_amount'],
    ['centavos for pesos', set({ amount: 15_000 }), 'other_amount'],
    ['a third decimal', set({ amount: '150.001' }), 'other_amount'],
    ['a float that is not exact', set({ amount: 149.99999999999997 }), 'other_amount'],
    ['an exponent', set({ amount: '1.5e2' }), 'other_amount'],
    ['a sign', set({ amount: '+150.00' }), 'other_amount'],
    ['a comma', set({ amount: '150,00' }), 'other_amount'],
    ['null for the amount', set({ amount: null }), 'other_amount'],
    ['no amount', without('amount'), 'other_amount'],
    ['another currency', set({ currency: 'USD' }), 'other_currency'],
    ['no currency', without('currency'), 'other_currency'],
    ['another reference', set({ client_reference: 'TG-7KMX-2AFR' }), 'other_reference'],
    ['no reference', without('client_reference'), 'other_reference'],
    ['a word nobody knows', set({ status: 'refunded' }), 'unclear_status'],
  ])('with %s is held', async (_what, fault, reason) => {
    expect(await judgePayment(fault)).toEqual(hold(reason));
  });
});

describe('a session just created', () => {
  async function start(fault: Fault, peer: Peer) {
    peer.simulator.control.fault('create-session', fault);
    return peer.gateway.startSession(sessionRequest(), Date.now());
  }

  test.each<[string, Fault]>([
    ['a centavo less', set({ amount_total: 14_999 })],
    ['the amount as text', set({ amount_total: '15000' })],
    ['another currency', set({ currency: 'USD' })],
    ['another reference', set({ external_id: 'TG-OTHER' })],
    ['no reference', without('external_id')],
    ['an end already', set({ status: 'expired', transaction_status: 'Expired' })],
    ['a payment already', set({ status: 'completed', transaction_status: 'Success' })],
  ])('with %s is not handed out, and known by its id', async (_what, fault) => {
    await using peer = await openPeer({ deadlines: unhurried });

    const session = await start(fault, peer);

    expect(session).toEqual({
      kind: 'unusable',
      id: peer.simulator.control.sessions()[0]?.id,
      fault: 'mismatch',
    });
  });

  test.each<[string, Fault]>([
    ['javascript', set({ url: 'javascript:alert(1)' })],
    ['data', set({ url: 'data:text/html,x' })],
    ['another origin', set({ url: 'https://evil.example/checkout/cs_1' })],
    ['another port of this machine', set({ url: 'http://localhost:9/checkout/cs_1' })],
    ['no scheme', set({ url: '//evil.example/' })],
    ['backslashes', set({ url: 'https:\\\\evil.example' })],
    ['a line break', set({ url: 'http://localhost\r\nSet-Cookie: a=b' })],
    ['ten thousand characters', set({ url: `http://localhost/${'a'.repeat(10_000)}` })],
    ['a number', set({ url: 7 })],
    ['nothing', set({ url: '' })],
    ['no member', without('url')],
  ])('whose address is %s sends nobody there', async (_what, fault) => {
    await using peer = await openPeer({ deadlines: unhurried });

    expect(await start(fault, peer)).toMatchObject({ kind: 'unusable', fault: 'unsafe_url' });
  });

  test('whose address holds user info sends nobody there', async () => {
    await using peer = await openPeer({ deadlines: unhurried });
    const url = peer.simulator.url.replace('http://', 'http://pay@');

    expect(await start(set({ url }), peer)).toMatchObject({ kind: 'unusable', fault: 'unsafe_url' });
  });

  test('is no session when it comes with another code than 201, or without an id', async () => {
    await using peer = await openPeer({ deadlines: unhurried });
    peer.simulator.control.fault(
      'create-session',
      { kind: 'raw', status: 200, body: '{"id":"cs_1","status":"pending"}' },
      1,
    );
    peer.simulator.control.fault('create-session', without('id'), 1);

    expect(await faultOf(peer.gateway.startSession(sessionRequest(), Date.now()))).toMatchObject({
      code: 'bad_answer',
      status: 200,
    });
    expect(await faultOf(peer.gateway.startSession(sessionRequest(), Date.now()))).toMatchObject({
      code: 'bad_answer',
      status: 201,
    });
  });
});

describe('a card payment just sent', () => {
  test('that needs the bank leads to the bank', async () => {
    await using peer = await openPeer();

    const processed = await peer.gateway.processPayment(
      paymentRequest(peer.simulator, { card: '4456528080389860' }),
    );

    expect(processed).toMatchObject({
      kind: 'known',
      bankUrl: expect.stringContaining(`${peer.simulator.url}/`),
    });
    expect(processed.kind === 'known' && readPaymentStatus(processed.gatewayStatus)).toBe('pending');
  });

  test.each<[string, unknown]>([
    ['javascript', { redirect_to_url: { url: 'javascript:alert(1)' } }],
    ['plain http elsewhere', { redirect_to_url: { url: 'http://bank.example/3ds' } }],
    ['user info', { redirect_to_url: { url: 'https://bank@evil.example/' } }],
    ['backslashes', { redirect_to_url: { url: 'https:\\\\evil.example' } }],
    ['a number', { redirect_to_url: { url: 7 } }],
    ['a list', { redirect_to_url: ['https://bank.example/'] }],
    ['null', null],
    ['a text', 'https://bank.example/'],
    ['an empty object', {}],
  ])('whose way to the bank is %s is known, and leads nowhere', async (_what, nextAction) => {
    await using peer = await openPeer({ deadlines: unhurried });
    peer.simulator.control.fault('process', set({ next_action: nextAction }));

    const processed = await peer.gateway.processPayment(
      paymentRequest(peer.simulator, { card: '4456528080389860' }),
    );

    expect(processed).toEqual({
      kind: 'known',
      id: peer.simulator.control.payments()[0]?.id,
      gatewayStatus: expect.any(String),
    });
  });

  test('is left to the lookup, whatever it says of itself', async () => {
    await using peer = await openPeer({ deadlines: unhurried });
    peer.simulator.control.fault('process', set({ amount: 1, currency: 'USD', status: 'nonsense' }));

    expect(await peer.gateway.processPayment(paymentRequest(peer.simulator))).toMatchObject({
      kind: 'known',
    });
  });

  test.each<[string, Fault]>([
    ['no id', without('id')],
    ['null for its id', set({ id: null })],
    ['a number for its id', set({ id: 7 })],
    ['a list for its word', set({ status: ['authorized'] })],
  ])('with %s has an unknown outcome', async (_what, fault) => {
    await using peer = await openPeer({ deadlines: unhurried });
    peer.simulator.control.fault('process', fault);

    const processed = await peer.gateway.processPayment(paymentRequest(peer.simulator));

    expect(processed).toMatchObject({ kind: 'unknown', error: { code: 'bad_answer' } });
  });

  test.each([200, 402] as const)(
    'that is declined with %d and names the payment is known, and the lookup says so',
    async (declineHttpStatus) => {
      await using peer = await openPeer();
      // In the public-docs profile a 402 names no payment.
      peer.simulator.control.setProfile('interface');
      peer.simulator.control.settings({ declineHttpStatus });

      const id = await newPayment(peer, '5451951574925480');

      const result = evaluatePayment(await peer.gateway.readTransaction(id), {
        id,
        amount,
        reference: 'TG-7KMX-2AFR-2',
      });
      expect(result).toEqual({ kind: 'declined' });
    },
  );

  test.each([
    ['card_declined', {}, 'card_declined'],
    ['CARD_DECLINED', {}, 'card_declined'],
    ['insufficient_funds', {}, 'insufficient_funds'],
    ['expired_card', {}, 'expired_card'],
    ['invalid_card', {}, 'invalid_card'],
    ['card_declined', { details: { decline_code: 'CH01' } }, 'card_declined/CH01'],
    ['card_declined', { details: { decline_code: '4000000000000002' } }, 'card_declined'],
    ['card_declined', { details: 'none', message: 7, type: null }, 'card_declined'],
  ])('that is answered 402 with the error %s and %j is declined', async (code, more, gatewayStatus) => {
    await using peer = await openPeer();
    const body = { error: { code, ...more }, request_id: 'req_1' };
    peer.simulator.control.fault('process', { kind: 'status', status: 402, body });

    expect(await peer.gateway.processPayment(paymentRequest(peer.simulator))).toEqual({
      kind: 'declined',
      gatewayStatus,
    });
  });

  test.each<[string, string]>([
    ['a page', '<h1>Payment required</h1>'],
    ['nothing', ''],
    ['an empty object', '{}'],
    ['null', 'null'],
    ['another error code', '{"error":{"code":"processing_error"}}'],
    ['an error code that only begins like one', '{"error":{"code":"card_declined_later"}}'],
    ['a plan that was not paid', '{"error":{"code":"account_suspended","message":"card_declined"}}'],
    ['an error in words', '{"error":"card_declined"}'],
    ['the code in another place', '{"code":"card_declined"}'],
    ['a list of codes', '{"error":{"code":["card_declined"]}}'],
  ])('that is answered 402 with %s has an unknown outcome', async (_what, body) => {
    await using peer = await openPeer();
    peer.simulator.control.fault('process', { kind: 'raw', status: 402, body });

    expect(await peer.gateway.processPayment(paymentRequest(peer.simulator))).toMatchObject({
      kind: 'unknown',
      error: { code: 'bad_answer', status: 402 },
    });
  });

  test.each([200, 201, 400, 422])(
    'that is answered %d with the error of a decline is not called declined',
    async (status) => {
      await using peer = await openPeer();
      const body = { error: { code: 'card_declined' } };
      peer.simulator.control.fault('process', { kind: 'status', status, body });

      const processed = await peer.gateway.processPayment(paymentRequest(peer.simulator));

      expect(processed.kind).toBe(status < 300 ? 'unknown' : 'refused');
    },
  );

  test('that was declined is read with its decline code beside the status', async () => {
    await using peer = await openPeer();
    const id = await newPayment(peer, '5451951574925480');
    peer.simulator.control.fault('read-transaction', set({ decline_code: 'AH02' }), 1);
    peer.simulator.control.fault('read-transaction', set({ decline_code: { code: 'AH02' } }), 1);

    const [coded, odd] = [await peer.gateway.readTransaction(id), await peer.gateway.readTransaction(id)];

    expect([coded.status, coded.gatewayStatus.toLowerCase()]).toEqual(['declined', 'declined/ah02']);
    expect([odd.status, odd.gatewayStatus.toLowerCase()]).toEqual(['declined', 'declined']);
  });
});

describe('the token for the vault', () => {
  test.each<[string, Fault]>([
    ['no token', without('access_token')],
    ['an empty one', set({ access_token: '' })],
    ['a number', set({ access_token: 7 })],
    ['one without end', set({ access_token: 'a'.repeat(9000) })],
  ])('is none when the answer holds %s', async (_what, fault) => {
    await using peer = await openPeer({ deadlines: unhurried });
    peer.simulator.control.fault('tokenization-auth', fault);

    expect((await faultOf(peer.gateway.accessToken())).code).toBe('bad_answer');
  });
});
