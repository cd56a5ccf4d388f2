import { expect, test } from '@jest/globals';
import type { Fault } from '@tianguis/gateway-tools';
import { findHistory } from '@tianguis/payments/back-office';
import { paymentsOf } from '@tianguis/payments/testing';
import {
  attemptStates,
  cartIdOf,
  HOUR,
  MINUTE,
  openBankPage,
  orderPath,
  reconcileAfter,
  sentPayments,
} from '../checkout/support.js';
import { changeCheckout } from '../support/change-checkout.js';
import { until } from '../support/crowd.js';
import { Customer, contact, readOrderPage } from '../support/customer.js';
import { allAttempts, cartContents, theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage, openPageOf, payByCard } from '../support/purchase.js';
import { impatient, openDoor } from '../support/replica.js';
import { openSharedShop } from '../support/shared-shop.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';
import { receivePaymentWebhook, requestFor, startCardPayment, submitAgain } from './support.js';

const shop = await openSharedShop();
type BankPage = Awaited<ReturnType<typeof openBankPage>>;

/** `packages/payments/test/gateway/faults.test.ts` shows which other faults leave a card payment unknown. */
test.each<[string, Fault]>([
  ['the connection breaks after the charge', { kind: 'drop', when: 'after' }],
  ['the answer never ends', { kind: 'hang', apply: true }],
  ['the answer is 402 with an unreadable payment', { kind: 'raw', status: 402, body: '{"id":7}', apply: true }],
])('when %s, the card payment is not sent again, and the page warns of it', async (_name, fault) => {
  await using door = await openDoor(impatient(shop, { 'process-payment': 1_500 }).web);
  const customer = await Customer.withCart(door);
  shop.control.fault('process', fault, 1);

  const answer = await payByCard(shop, customer);
  const path = await orderPath(shop);
  const page = await customer.get(path);
  shop.clock.advance(HOUR);
  const locations = await submitAgain(shop, customer);

  expect([answer.status, answer.headers['location']]).toEqual([303, path]);
  expect(readOrderPage(page.text)).toMatchObject({ state: 'outcome_unknown', detail: true });
  expect(page.text).toContain('Por favor no pagues otra vez');
  expect(page.text).not.toMatch(/Intentar otra vez|Pagar/);
  // The last cart also has another product, so the customer gets the cart with the name of the first one.
  expect(locations).toEqual([path, path, undefined]);
  expect(sentPayments(shop)).toHaveLength(1);
  expect(shop.control.sessions()).toEqual([]);
  expect(await cartContents(shop)).toMatchObject({ 'taza-talavera': 1 });
});

test('a card answer with the id of another payment is an unknown outcome and pays no order', async () => {
  await payByCard(shop, await Customer.withCart(shop));
  const [{ gatewayId } = { gatewayId: null }] = await allAttempts(shop);
  shop.control.fault('process', { kind: 'rewrite', set: { id: gatewayId } }, 1);

  const answer = await payByCard(shop, await Customer.withCart(shop));

  expect(answer.status).toBe(303);
  expect(await attemptStates(shop)).toEqual(['paid', 'unknown']);
});

test('a card payment refused with 422 shows the form again, and the next one is charged once', async () => {
  const customer = await Customer.withCart(shop);
  const body = { error: { code: 'validation_error' } };
  shop.control.fault('process', { kind: 'status', status: 422, body }, 1);

  const refused = await payByCard(shop, customer);
  await payByCard(shop, customer);

  expect(refused.status).toBe(502);
  expect(refused.text).toContain(`value="${contact.email}"`);
  expect((await theOrder(shop)).state).toBe('paid');
  expect(shop.control.ledger()).toHaveLength(1);
});

const DECLINED_402: Fault = { kind: 'status', status: 402, body: { error: { code: 'card_declined' } } };

test('a decline with HTTP 402 is recorded once in history and log', async () => {
  await using shop = await openTestShop();
  shop.control.fault('process', DECLINED_402, 1);

  await payByCard(shop, await Customer.withCart(shop));

  const { id, number } = await theOrder(shop);
  const history = await findHistory(shop.queries, id);
  expect(history.slice(-2).map(({ kind, detail }) => [kind, JSON.parse(detail)])).toEqual([
    ['attempt_declined', { attempt: 1, late: false, gatewayStatus: 'card_declined' }],
    ['moved', { from: 'created', to: 'declined' }],
  ]);
  const moved = shop.logged.map((line) => JSON.parse(line)).filter(({ to }) => to === 'declined');
  expect(moved).toMatchObject([
    { msg: 'attempt.changed', order: number, flow: 'card' },
    { msg: 'order.changed', order: number, trigger: 'card_answer', from: 'created' },
  ]);
});

test.each<[string, Fault]>([
  ['the error of a decline', { ...DECLINED_402, apply: true }],
  ['a page', { kind: 'raw', status: 402, body: '<h1>Payment required</h1>', apply: true }],
])(
  'a card that was charged despite HTTP 402 with %s is paid when a webhook names the payment',
  async (_what, fault) => {
    shop.control.fault('process', fault, 1);
    await payByCard(shop, await Customer.withCart(shop));
    const declined = (await theOrder(shop)).state;

    await receivePaymentWebhook(shop);

    expect(declined).toBe('declined');
    expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
    expect(await attemptStates(shop)).toEqual(['paid']);
  },
);

/** Sends a card payment whose answer the simulator holds back, and returns the pending call. */
async function sendSlowly(shop: TestShop, tokens = shop.control.tokenizeCard(CARDS.paid)) {
  const customer = await Customer.withCart(shop);
  const request = requestFor(await cartIdOf(shop));
  shop.control.fault('process', { kind: 'hold' }, 1);
  const answer = startCardPayment(shop.checkout, request, tokens);
  await until(() => sentPayments(shop).length === 1);
  return { customer, answer };
}

test('while a card payment is sent, the order page waits, and other submits lead to it after 3 s, by card and hosted', async () => {
  const { customer, answer } = await sendSlowly(shop);
  const path = await orderPath(shop);

  const page = await customer.get(path);
  const { body } = await customer.get(`${path}/status`);
  const again = await Promise.all([payByCard(shop, customer), customer.payHosted()]);
  const meanwhile = await customer.get(path);
  shop.control.release();
  await answer;

  for (const { text } of [page, meanwhile]) {
    expect(text).toContain('Estamos esperando tu pago');
    expect(text).not.toMatch(/cobró|cobrado/);
  }
  expect(body).toMatchObject({ safe_to_pay_again: false });
  expect(again.map(({ status, headers }) => [status, headers['location']])).toEqual([
    [303, path],
    [303, path],
  ]);
  expect(sentPayments(shop)).toHaveLength(1);
  expect(shop.control.sessions()).toEqual([]);
});

test.each([
  ['paid', 200],
  ['declined', 200],
  ['declined', 402],
] as const)('a card answer after its lease ends as %s (HTTP %i)', async (state, declineHttpStatus) => {
  shop.control.settings({ declineHttpStatus });
  const { customer, answer } = await sendSlowly(shop, shop.control.tokenizeCard(CARDS[state]));

  shop.clock.advance(MINUTE);
  const path = await orderPath(shop);
  const page = await customer.get(path);
  const again = [await payByCard(shop, customer), await customer.payHosted()];
  shop.control.release();
  await answer;

  expect(readOrderPage(page.text).state).toBe('outcome_unknown');
  expect(again.map(({ headers }) => headers['location'])).toEqual([path, path]);
  expect((await theOrder(shop)).state).toBe(state);
  expect(sentPayments(shop)).toHaveLength(1);
});

test('a card answer that arrives after a webhook paid the order changes nothing', async () => {
  const { answer } = await sendSlowly(shop);
  await until(() => shop.control.ledger().length === 1);
  shop.clock.advance(MINUTE);
  await receivePaymentWebhook(shop);
  const before = await theOrder(shop);

  shop.control.release();
  await answer;

  expect(before).toMatchObject({ state: 'paid', reviewReason: null });
  expect(await theOrder(shop)).toEqual(before);
  expect(await attemptStates(shop)).toEqual(['paid']);
});

test('a process that dies while it creates a session leaves an order that another process finishes', async () => {
  await using door = await openDoor(impatient(shop, { 'create-session': 2_000 }).web);
  const customer = await Customer.withCart(door);
  shop.control.fault('create-session', { kind: 'hang', apply: true }, 1);

  const abandoned = customer.payHosted();
  await until(() => shop.control.calls('create-session').length === 1);
  shop.clock.advance(MINUTE);
  const next = await customer.payHosted();
  const late = await abandoned;

  expect(next.status).toBe(302);
  expect(next.headers['location']).toContain((await allAttempts(shop)).at(-1)?.gatewayId ?? 'none');
  expect(late.status).toBe(503);
  expect(await attemptStates(shop)).toEqual(['failed', 'open']);
  expect((await theOrder(shop)).state).toBe('pending');
});

const PAY_AGAIN = { ...contact, pay_again: '1' };
const WARNING = /El banco todavía tiene abierto un pago anterior|Un pago anterior de este pedido sigue abierto/;

test('nine minutes after a 3D Secure redirect, the payment can be replaced by another payment once per order, after a warning', async () => {
  const { customer, orderPath: path } = await openBankPage(shop);

  const early = await customer.get(path);
  shop.clock.advance(9 * MINUTE);
  const late = await customer.get(path);
  const form = await customer.get('/checkout?pay_again=1');
  const unconfirmed = await customer.payHosted();
  const tokens = shop.control.tokenizeCard(CARDS.challenged);
  const confirmed = await customer.post('/checkout/card', { ...PAY_AGAIN, ...tokens });
  const after = await customer.get(path);
  shop.clock.advance(9 * MINUTE);
  const again = await customer.payHosted(PAY_AGAIN);

  expect(early.text).not.toContain('pay_again');
  expect(late.text).toContain('?pay_again=1">Pagar de otra forma<');
  expect(form.text).toContain('<input type="hidden" name="pay_again" value="1">');
  for (const page of [late, form, after]) expect(page.text).toMatch(WARNING);
  expect(unconfirmed.headers['location']).toBe(path);
  expect([confirmed.status, again.status]).toEqual([302, 303]);
  expect(await attemptStates(shop)).toEqual(['superseded', 'open']);
});

test('an abandoned 3D Secure payment that the bank approves later is a second payment under review', async () => {
  const { customer, payment } = await openBankPage(shop);
  shop.clock.advance(9 * MINUTE);
  const { session } = await openPageOf(shop, customer, PAY_AGAIN);

  shop.control.paySession(session);
  shop.control.approve(payment);
  await reconcileAfter(shop, MINUTE);

  expect(await attemptStates(shop)).toEqual(['paid', 'paid']);
  expect(await theOrder(shop)).toMatchObject({ reviewReason: 'second_payment' });
});

/** Abandons a 3D Secure page and has another card declined. */
async function declineAfterBankPage() {
  const page = await openBankPage(shop);
  shop.clock.advance(9 * MINUTE);
  const tokens = shop.control.tokenizeCard(CARDS.declined);
  await page.customer.post('/checkout/card', { ...PAY_AGAIN, ...tokens });
  shop.clock.advance(MINUTE);
  return page;
}

// The second piece stays in the cart, and its total must be confirmed.
test.each([
  ['1', 303],
  ['2', 409],
] as const)(
  'after an abandoned 3D Secure page and a decline, a bank approval is found before another card is charged (pieces: %s)',
  async (quantity, status) => {
    const { customer, payment, orderPath } = await declineAfterBankPage();
    await customer.post('/cart/items/taza-talavera', { quantity });
    const before = await customer.get(`${orderPath}/status`);
    shop.control.approve(payment);

    const again = await payByCard(shop, customer);
    const page = await customer.get(orderPath);

    expect(before.body).toMatchObject({ state: 'declined', safe_to_pay_again: false });
    expect([again.status, readOrderPage(page.text).state]).toEqual([status, 'paid']);
    expect(await attemptStates(shop)).toEqual(['paid', 'declined']);
    expect(shop.control.ledger()).toHaveLength(1);
  },
);

test.each(['1', '2'])(
  'after an abandoned 3D Secure page and a decline, a lookup that fails leads to the order, and no other card is charged (pieces: %s)',
  async (quantity) => {
    const { customer, orderPath: path } = await declineAfterBankPage();
    await customer.post('/cart/items/taza-talavera', { quantity });
    const sent = sentPayments(shop).length;
    shop.control.fault('read-transaction', { kind: 'status', status: 503 });

    const again = await payByCard(shop, customer);

    expect([again.status, again.headers['location'], sentPayments(shop).length]).toEqual([303, path, sent]);
  },
);

test('no card is charged when the submit shares a lookup that the account’s rate limit refused', async () => {
  const { orderId } = await openHostedPage(shop);
  shop.clock.advance(MINUTE);
  const joined: string[] = [];
  class LoggedLookups extends Map {
    override get(id: string) {
      joined.push(id);
      return super.get(id);
    }
  }
  let left = 1;
  const lookupBudget = { take: () => Promise.resolve(left-- > 0) };
  const context = changeCheckout(shop.checkout, { lookups: new LoggedLookups(), lookupBudget });
  const request = requestFor(await cartIdOf(shop));
  shop.control.fault('read-session', { kind: 'hold' }, 1);

  const returns = [paymentsOf(context).verify(orderId, 'return')];
  await until(() => shop.control.calls('read-session').length === 1);
  returns.push(paymentsOf(context).verify(orderId, 'return'));
  await until(() => joined.length === 2);
  const submitted = startCardPayment(context, request, shop.control.tokenizeCard(CARDS.paid));
  const outcome = submitted.catch((error: unknown) => error);
  await until(() => joined.length === 3);
  shop.control.release();
  await Promise.all(returns);

  expect(await outcome).toMatchObject({ code: 'busy', orderId });
  expect(sentPayments(shop)).toHaveLength(0);
});

test.each<Fault>([
  { kind: 'rewrite', set: { status: 'processing' } },
  { kind: 'status', status: 503 },
])('no second payment starts while the lookup of a 3D Secure payment gets %j', async (fault) => {
  const { customer, orderPath } = await openBankPage(shop);
  shop.clock.advance(9 * MINUTE);
  await customer.get(orderPath);
  shop.control.fault('read-transaction', fault);

  const again = await customer.payHosted(PAY_AGAIN);

  expect(again.status).toBe(303);
  expect(await allAttempts(shop)).toHaveLength(1);
});

test.each([
  ['the customer’s own session', (customer: Customer, { returnPath }: BankPage) => customer.get(returnPath)],
  ['the address of the bank', (_: Customer, { returnUrl }: BankPage) => new Customer(shop).get(returnUrl)],
  [
    'a form of the bank, without a cookie',
    (_: Customer, { returnUrl }: BankPage) => new Customer(shop).post(returnUrl, {}),
  ],
])('no second payment starts after a browser returned from the 3D Secure page with %s', async (_, comeBack) => {
  const page3ds = await openBankPage(shop);
  const { customer, orderPath } = page3ds;
  await comeBack(customer, page3ds);
  shop.clock.advance(9 * MINUTE);

  const page = await customer.get(orderPath);
  const again = await customer.payHosted(PAY_AGAIN);

  expect(page.text).not.toContain('pay_again');
  expect(again.status).toBe(303);
  expect(await attemptStates(shop)).toEqual(['open']);
});

test('a forged return by other persons with the order link does not keep the customer from paying', async () => {
  const { customer, returnPath, orderPath } = await openBankPage(shop);
  const other = new Customer(shop);
  for (const query of ['', '?attempt=1', '?attempt=01999999-0000-7000-8000-000000000000', '?tndr_payment_id=1'])
    for (const answer of [await other.get(returnPath + query), await other.post(returnPath + query, {})])
      expect(answer.headers['location']).toBe(orderPath);
  shop.clock.advance(9 * MINUTE);

  const again = await payByCard(shop, customer, CARDS.declined, PAY_AGAIN);

  expect([again.status, await attemptStates(shop)]).toEqual([303, ['superseded', 'declined']]);
  expect((await theOrder(shop)).state).toBe('declined');
});
