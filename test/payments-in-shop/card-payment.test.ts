import { expect, test } from '@jest/globals';
import { attemptStates, MINUTE, openBankPage, orderPath, sentPayments } from '../checkout/support.js';
import { Customer, contact, readOrderPage } from '../support/customer.js';
import { allAttempts, allFulfillments, cartContents, theOrder } from '../support/inspect.js';
import { CARDS, payByCard } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';
import { submitAgain } from './support.js';

const shop = await openSharedShop();

test('a card payment sends tokens, pesos and the order number, and is paid after one lookup', async () => {
  const customer = await Customer.withCart(shop, { quantity: '3' });

  const answer = await payByCard(shop, customer);
  const page = await customer.get(answer.headers['location'] ?? '');

  const order = await theOrder(shop);
  const [attempt] = await allAttempts(shop);
  const [call] = sentPayments(shop);
  expect([answer.status, answer.headers['location']]).toEqual([303, `/orders/${order.token}`]);
  expect(call?.body).toMatchObject({
    amount: 867,
    client_reference: order.number,
    return_url: `${shop.url}/checkout/return/${order.token}?attempt=${attempt?.id}`,
  });
  expect(call?.headers['x-request-id']).toBe(attempt?.id);
  expect(shop.control.calls('read-transaction')).toHaveLength(1);
  expect(readOrderPage(page.text)).toMatchObject({ state: 'paid', detail: true });
  expect(await cartContents(shop)).toEqual({});
  expect(await allFulfillments(shop)).toHaveLength(1);
});

test.each([
  ['an American Express card with 15 digits', '340000000000009'],
  ['a card with 19 digits', '6304000000000000000'],
])('a payment by %s succeeds with its token', async (_name, number) => {
  const answer = await payByCard(shop, await Customer.withCart(shop), number);

  expect([answer.status, (await theOrder(shop)).state]).toEqual([303, 'paid']);
});

test('a payment that requires 3D Secure redirects to the bank and is paid after its approval', async () => {
  const { customer, redirect, payment, returnPath, orderPath } = await openBankPage(shop);
  const before = await customer.get(orderPath);

  shop.control.approve(payment);
  shop.clock.advance(3_000);
  await new Customer(shop).post(returnPath, { PaRes: 'x' });
  const after = await customer.get(orderPath);

  expect(redirect.status).toBe(302);
  expect(redirect.headers['location']).toContain(`${shop.simulator.url}/bank/`);
  expect(readOrderPage(before.text).state).toBe('pending');
  expect(before.text).toContain(redirect.headers['location']);
  expect(readOrderPage(after.text).state).toBe('paid');
});

test('after the bank refuses, the cart is unchanged and another card pays under a new reference', async () => {
  const { customer, payment, returnPath, orderPath } = await openBankPage(shop);
  shop.control.refuse(payment);
  await customer.get(returnPath);
  const declined = await customer.get(orderPath);
  const cart = await cartContents(shop);

  const again = await payByCard(shop, customer);

  const { number, state } = await theOrder(shop);
  const references = sentPayments(shop).map(({ body }) => body);
  expect(readOrderPage(declined.text).state).toBe('declined');
  expect(cart).toEqual({ 'taza-talavera': 1 });
  expect(again.headers['location']).toBe(orderPath);
  expect(references).toMatchObject([{ client_reference: number }, { client_reference: `${number}-2` }]);
  expect(state).toBe('paid');
});

test('while a 3D Secure payment is open, the form redirects to the order and sends no payment, also with a changed cart', async () => {
  const { customer, payment, returnPath, orderPath } = await openBankPage(shop);

  const atOnce = await payByCard(shop, customer);
  shop.clock.advance(MINUTE);
  const later = await submitAgain(shop, customer);
  shop.control.approve(payment);
  shop.clock.advance(3_000);
  await customer.get(returnPath);

  expect([atOnce.headers['location'], ...later]).toEqual(Array(4).fill(orderPath));
  expect(sentPayments(shop)).toHaveLength(1);
  expect(shop.control.sessions()).toEqual([]);
  expect((await theOrder(shop)).state).toBe('paid');
  expect(await cartContents(shop)).toEqual({ 'jarra-barro-negro': 1 });
});

test.each([200, 402] as const)('after a decline with HTTP %i another card pays', async (declineHttpStatus) => {
  shop.control.settings({ declineHttpStatus });
  const customer = await Customer.withCart(shop);

  const answer = await payByCard(shop, customer, CARDS.declined);
  const page = await customer.get(answer.headers['location'] ?? '');
  const next = await payByCard(shop, customer);

  expect([answer.status, next.status]).toEqual([303, 303]);
  expect(readOrderPage(page.text).state).toBe('declined');
  expect(page.text).toContain('>Intentar otra vez<');
  expect((await theOrder(shop)).state).toBe('paid');
  expect(await attemptStates(shop)).toEqual(['declined', 'paid']);
});

test('a card form submitted five times at once is sent to the gateway once', async () => {
  const customer = await Customer.withCart(shop);
  const tokens = shop.control.tokenizeCard(CARDS.paid);

  const answers = await Promise.all(
    Array.from({ length: 5 }, () => customer.post('/checkout/card', { ...contact, ...tokens })),
  );

  const path = await orderPath(shop);
  expect(answers.map(({ headers }) => headers['location'])).toEqual(answers.map(() => path));
  expect(sentPayments(shop)).toHaveLength(1);
  expect(shop.control.ledger()).toHaveLength(1);
  expect(await allFulfillments(shop)).toHaveLength(1);
});
