import { describe, expect, test } from '@jest/globals';
import { startCardPayment } from '../../src/checkout/card/start-card-payment.js';
import { processInbox } from '../../src/checkout/process-inbox.js';
import { receiveWebhook } from '../../src/checkout/receive-webhook.js';
import { findHistory } from '../../src/db/history.js';
import type { Fault } from '../../tools/simulator/faults.js';
import { Customer, contact, readOrderPage } from '../support/customer.js';
import { allAttempts, cartContents, theOrder, until } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard, requestFor } from '../support/purchase.js';
import { impatient, openDoor } from '../support/replica.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const sent = (shop: TestShop) => shop.simulator.control.calls('process');

const LOST: readonly (readonly [string, Fault])[] = [
  ['the connection breaks after the charge', { kind: 'drop', when: 'after' }],
  ['the connection breaks before the charge, which nobody can know', { kind: 'drop', when: 'before' }],
  ['the gateway answers 500 after the charge', { kind: 'status', status: 500, apply: true }],
  ['the gateway answers 502', { kind: 'status', status: 502 }],
  ['the answer is a page', { kind: 'raw', status: 201, body: '<h1>ok</h1>', apply: true }],
  ['the answer is empty', { kind: 'raw', status: 201, body: '', apply: true }],
  ['the answer has no id', { kind: 'rewrite', set: {}, remove: ['id'] }],
  ['the answer has an id of another kind', { kind: 'rewrite', set: { id: 17 } }],
  ['the answer is a redirect', { kind: 'redirect', location: 'https://evil.example/' }],
  ['the answer never ends', { kind: 'hang', apply: true }],
  [
    'the answer is 402 with a page',
    { kind: 'raw', status: 402, body: '<h1>Payment required</h1>', apply: true },
  ],
  [
    'the answer is 402 with no known code',
    { kind: 'status', status: 402, body: { error: { code: 'unpaid' } } },
  ],
];

const REFUSED: readonly (readonly [string, number, Fault])[] = [
  ['refused as wrong', 502, { kind: 'status', status: 422, body: { error: { code: 'validation_error' } } }],
  ['refused as malformed', 502, { kind: 'status', status: 400 }],
  ['refused for the key', 503, { kind: 'status', status: 401 }],
  ['refused for its rate', 503, { kind: 'status', status: 429, headers: { 'Retry-After': '0' } }],
];

describe('a card payment whose answer is lost', () => {
  test.each(LOST)(
    'because %s is never sent again, and the page says not to pay again',
    async (_name, fault) => {
      await using shop = await openTestShop();
      await using door = await openDoor(impatient(shop, { processPayment: 400 }).web);
      const customer = await Customer.withCart(door);
      shop.simulator.control.fault('process', fault, 1);

      const answer = await payByCard(shop, customer);
      const path = `/orders/${(await theOrder(shop)).token}`;
      const page = await customer.get(path);
      shop.clock.advance(60 * 60_000);
      const again = await payByCard(shop, customer);
      const hosted = await customer.payHosted();
      await customer.add({ product_id: 'jarra-barro-negro' });
      const changed = await payByCard(shop, customer);

      expect([answer.status, answer.headers['location']]).toEqual([303, path]);
      expect(readOrderPage(page.text)).toMatchObject({ state: 'outcome_unknown', detail: true });
      expect(page.text).toContain('Por favor no pagues otra vez');
      expect(page.text).not.toContain('href="/checkout"');
      for (const held of [again, hosted, changed]) expect(held.headers['location']).toBe(path);
      expect(sent(shop)).toHaveLength(1);
      expect(shop.simulator.control.sessions()).toEqual([]);
      expect(await cartContents(shop)).toMatchObject({ 'taza-talavera': 1 });
    },
  );

  test('because it names another payment’s id is unknown too, and pays neither order with it', async () => {
    await using shop = await openTestShop();
    await payByCard(shop, await Customer.withCart(shop));
    const [{ gatewayId } = { gatewayId: null }] = await allAttempts(shop);
    shop.simulator.control.fault('process', { kind: 'rewrite', set: { id: gatewayId } }, 1);

    const answer = await payByCard(shop, await Customer.withCart(shop));

    expect(answer.status).toBe(303);
    expect((await allAttempts(shop)).map(({ state }) => state)).toEqual(['paid', 'unknown']);
  });

  test('because it leads to an address no customer may be sent to is watched, and nobody is sent there', async () => {
    await using shop = await openTestShop();
    const url = 'javascript:alert(1)';
    const rewrite = { kind: 'rewrite', set: { 'next_action.redirect_to_url.url': url } } as const;
    shop.simulator.control.fault('process', rewrite, 1);
    const customer = await Customer.withCart(shop);

    const answer = await payByCard(shop, customer, CARDS.challenged);
    const page = await customer.get(answer.headers['location'] ?? '');

    expect(answer.status).toBe(303);
    expect(page.text).not.toContain('javascript:');
    expect((await theOrder(shop)).state).toBe('pending');
  });
});

describe('a card payment that was', () => {
  test.each(REFUSED)(
    '%s brings the form back with %i, charges nothing and may be tried again',
    async (_name, status, fault) => {
      await using shop = await openTestShop();
      const customer = await Customer.withCart(shop);
      shop.simulator.control.fault('process', fault, 1);

      const refused = await payByCard(shop, customer);
      await until(async () => (await payByCard(shop, customer)).status === 303);

      expect(refused.status).toBe(status);
      expect(refused.text).toContain(`value="${contact.email}"`);
      expect((await theOrder(shop)).state).toBe('paid');
      expect(shop.simulator.control.ledger()).toHaveLength(1);
    },
  );

  test('never sent, because nobody listens, brings the form back and charges nothing', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    const tokens = shop.simulator.control.tokenizeCard(CARDS.paid);
    await shop.simulator.close();

    const refused = await customer.post('/checkout/card', { ...contact, ...tokens });

    expect(refused.status).toBe(503);
    expect(refused.text).toContain('No se cobró nada');
    expect((await theOrder(shop)).state).toBe('created');
    expect((await allAttempts(shop)).map(({ state }) => state)).toEqual(['failed']);
  });
});

const DECLINED_402: Fault = {
  kind: 'status',
  status: 402,
  body: {
    error: { code: 'card_declined', message: 'Declined', type: 'request_error', details: {} },
    request_id: 'req_1',
  },
};

describe('a card payment that the gateway declines with HTTP 402', () => {
  const attemptStates = async (shop: TestShop) => (await allAttempts(shop)).map(({ state }) => state);

  test('leads to an order page that says so, and another card pays the same order', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    shop.simulator.control.fault('process', DECLINED_402, 1);

    const answer = await payByCard(shop, customer);
    const page = await customer.get(answer.headers['location'] ?? '');
    const declined = await theOrder(shop);
    const stock = await cartContents(shop);
    const again = await payByCard(shop, customer);

    expect([answer.status, answer.headers['location']]).toEqual([303, `/orders/${declined.token}`]);
    expect(readOrderPage(page.text)).toMatchObject({ state: 'declined', detail: true });
    expect(page.text).toContain('El banco rechazó este pago');
    expect(page.text).toContain('href="/checkout"');
    expect(page.text).not.toContain('data-refresh-seconds');
    expect(stock).toEqual({ 'taza-talavera': 1 });
    expect(again.headers['location']).toBe(`/orders/${declined.token}`);
    expect((await theOrder(shop)).state).toBe('paid');
    expect(await attemptStates(shop)).toEqual(['declined', 'paid']);
    expect(sent(shop)).toHaveLength(2);
    expect(shop.simulator.control.ledger()).toHaveLength(1);
  });

  test('is in history, log and metrics what every decline is', async () => {
    await using shop = await openTestShop();
    shop.simulator.control.fault('process', DECLINED_402, 1);

    await payByCard(shop, await Customer.withCart(shop));

    const { id, number } = await theOrder(shop);
    const history = await findHistory(shop.context.checkout.db.queries, id);
    expect(history.slice(-2).map(({ kind, detail }) => [kind, JSON.parse(detail)])).toEqual([
      ['attempt_declined', { attempt: 1, late: false, gatewayStatus: 'card_declined' }],
      ['moved', { from: 'created', to: 'declined' }],
    ]);
    const moved = shop.logged.map((line) => JSON.parse(line)).filter(({ to }) => to === 'declined');
    expect(moved).toMatchObject([
      { msg: 'attempt.changed', order: number, kind: 'card' },
      { msg: 'order.changed', order: number, trigger: 'card_answer', from: 'created' },
    ]);
    const metrics = await shop.context.web.metrics.read();
    expect(metrics).toContain('tianguis_attempts_total{flow="card",state="declined"} 1\n');
    expect(metrics).toContain('tianguis_order_transitions_total{to="declined",trigger="card_answer"} 1\n');
    expect(metrics).toContain(
      'tianguis_gateway_call_errors_total{call="process-payment",code="refused"} 0\n',
    );
  });

  test('twice is declined twice, and the hosted page may still pay', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    shop.simulator.control.fault('process', DECLINED_402, 2);

    await payByCard(shop, customer);
    await payByCard(shop, customer);
    const hosted = await customer.payHosted();

    expect(hosted.status).toBe(302);
    expect(await attemptStates(shop)).toEqual(['declined', 'declined', 'open']);
    expect((await theOrder(shop)).state).toBe('pending');
  });

  test.each(['expired', 'cancelled'] as const)('after an attempt that ended %s is declined', async (end) => {
    await using shop = await openTestShop();
    const { customer, session, returnPath } = await openHostedPage(shop);
    const { control } = shop.simulator;
    if (end === 'expired') control.expireSession(session);
    else control.cancelSession(session);
    await customer.get(returnPath);
    const before = (await theOrder(shop)).state;
    control.fault('process', DECLINED_402, 1);

    const answer = await payByCard(shop, customer);

    expect(before).toBe(end);
    expect(answer.status).toBe(303);
    expect((await theOrder(shop)).state).toBe('declined');
    expect(await attemptStates(shop)).toEqual([end, 'declined']);
  });

  test('after its answer was given up as lost ends the doubt', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    shop.simulator.control.settings({ declineHttpStatus: 402 });
    shop.simulator.control.setProfile('public-docs');
    shop.simulator.control.fault('process', { kind: 'review' }, 1);

    const slow = payByCard(shop, customer, CARDS.declined);
    slow.catch(() => {});
    const settled = slow.then((answer) => answer);
    await until(() => sent(shop).length === 1);
    shop.clock.advance(60_000);
    const path = `/orders/${(await theOrder(shop)).token}`;
    const doubtful = await customer.get(path);
    shop.simulator.control.release();
    await settled;

    expect(readOrderPage(doubtful.text).state).toBe('outcome_unknown');
    expect((await theOrder(shop)).state).toBe('declined');
    expect(await attemptStates(shop)).toEqual(['declined']);
  });

  test('although it charged is paid when a genuine webhook names the payment', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    shop.simulator.control.fault('process', { ...DECLINED_402, apply: true }, 1);
    await payByCard(shop, customer);
    const declined = (await theOrder(shop)).state;

    const [payment] = shop.simulator.control.payments();
    const told = JSON.stringify({ id: payment?.id, client_reference: payment?.reference });
    await receiveWebhook(shop.context.checkout, told);
    await processInbox(shop.context.checkout);

    expect(declined).toBe('declined');
    expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
    expect(await attemptStates(shop)).toEqual(['paid']);
  });

  test('and is then reported by a webhook is counted as one decline', async () => {
    await using shop = await openTestShop();
    const { control } = shop.simulator;
    control.setProfile('public-docs');
    control.settings({ declineHttpStatus: 402 });
    await payByCard(shop, await Customer.withCart(shop), CARDS.declined);

    const [payment] = control.payments();
    const told = JSON.stringify({ id: payment?.id, client_reference: payment?.reference });
    await receiveWebhook(shop.context.checkout, told);
    await processInbox(shop.context.checkout);

    const [attempt] = await allAttempts(shop);
    expect(attempt).toMatchObject({ state: 'declined', gatewayId: payment?.id });
    expect((await theOrder(shop)).state).toBe('declined');
    const metrics = await shop.context.web.metrics.read();
    expect(metrics).toContain('tianguis_attempts_total{flow="card",state="declined"} 1\n');
  });
});

describe('a process that died while it sent', () => {
  const submission = async (shop: TestShop) => {
    const customer = await Customer.withCart(shop);
    const [cart] = await shop.context.checkout.db.queries.selectFrom('carts').select('id').execute();
    return { customer, cartId: cart?.id };
  };

  test('a card payment leaves an order that says not to pay again, and nobody sends a second one', async () => {
    await using shop = await openTestShop();
    const dying = impatient(shop, { processPayment: 1_500 });
    const { customer, cartId } = await submission(shop);
    shop.simulator.control.fault('process', { kind: 'hang', apply: true }, 1);
    const tokens = shop.simulator.control.tokenizeCard(CARDS.paid);

    const abandoned = startCardPayment(dying.checkout, requestFor(cartId), tokens);
    await until(() => sent(shop).length === 1);
    shop.clock.advance(60_000);
    const path = `/orders/${(await theOrder(shop)).token}`;
    const page = await customer.get(path);
    const again = await payByCard(shop, customer);
    const late = await abandoned;

    expect(readOrderPage(page.text).state).toBe('outcome_unknown');
    expect(again.headers['location']).toBe(path);
    expect(late).toMatchObject({ kind: 'order', order: { state: 'outcome_unknown' } });
    expect(sent(shop)).toHaveLength(1);
  });

  test.each([
    ['paid', CARDS.paid],
    ['declined', CARDS.declined],
  ])('whose answer comes after all is settled by a lookup: %s', async (state, card) => {
    await using shop = await openTestShop();
    const { customer, cartId } = await submission(shop);
    shop.simulator.control.fault('process', { kind: 'review' }, 1);

    const slow = startCardPayment(
      shop.context.checkout,
      requestFor(cartId),
      shop.simulator.control.tokenizeCard(card),
    );
    await until(() => sent(shop).length === 1);
    shop.clock.advance(60_000);
    await customer.get(`/orders/${(await theOrder(shop)).token}`);
    const lost = (await theOrder(shop)).state;
    shop.simulator.control.release();
    await slow;

    expect(lost).toBe('outcome_unknown');
    expect((await theOrder(shop)).state).toBe(state);
  });

  test('whose answer comes after a webhook had it paid changes nothing', async () => {
    await using shop = await openTestShop();
    const { control } = shop.simulator;
    const { cartId } = await submission(shop);
    control.fault('process', { kind: 'review' }, 1);

    const slow = startCardPayment(
      shop.context.checkout,
      requestFor(cartId),
      control.tokenizeCard(CARDS.paid),
    );
    await until(() => control.ledger().length === 1);
    shop.clock.advance(60_000);
    const [payment] = control.payments();
    const told = JSON.stringify({ id: payment?.id, client_reference: payment?.reference });
    await receiveWebhook(shop.context.checkout, told);
    await processInbox(shop.context.checkout);
    const before = await theOrder(shop);
    control.release();
    await slow;

    expect(before).toMatchObject({ state: 'paid', reviewReason: null });
    expect(await theOrder(shop)).toEqual(before);
    expect((await allAttempts(shop)).map(({ state }) => state)).toEqual(['paid']);
  });

  test('whose refusal comes after all may be tried again', async () => {
    await using shop = await openTestShop();
    const { customer, cartId } = await submission(shop);
    shop.simulator.control.fault('process', { kind: 'review' }, 1);
    const tokens = { ...shop.simulator.control.tokenizeCard(CARDS.paid), card_number: '0000-0000-0000-0001' };

    const slow = startCardPayment(shop.context.checkout, requestFor(cartId), tokens);
    await until(() => sent(shop).length === 1);
    shop.clock.advance(60_000);
    await customer.get(`/orders/${(await theOrder(shop)).token}`);
    shop.simulator.control.release();
    await expect(slow).rejects.toMatchObject({ code: 'payment_refused' });
    const refused = (await theOrder(shop)).state;
    await payByCard(shop, customer);

    expect(refused).toBe('declined');
    expect((await theOrder(shop)).state).toBe('paid');
  });

  test('a hosted session leaves an order that another process finishes, with a session of its own', async () => {
    await using shop = await openTestShop();
    const dying = impatient(shop, { createSession: 3_000 });
    await using door = await openDoor(dying.web);
    const customer = await Customer.withCart(door);
    shop.simulator.control.fault('create-session', { kind: 'hang', apply: true }, 1);

    const abandoned = customer.payHosted();
    await until(() => shop.simulator.control.calls('create-session').length === 1);
    shop.clock.advance(60_000);
    const next = await customer.payHosted();
    const late = await abandoned;

    expect(next.status).toBe(302);
    expect(next.headers['location']).toContain((await allAttempts(shop)).at(-1)?.gatewayId ?? 'none');
    expect(late.status).toBe(503);
    expect((await allAttempts(shop)).map(({ state }) => state)).toEqual(['failed', 'open']);
    expect((await theOrder(shop)).state).toBe('pending');
  });
});
