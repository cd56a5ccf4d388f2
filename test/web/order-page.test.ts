import { expect, test } from '@jest/globals';
import supertest from 'supertest';
import { address, Customer, contact, mugPickup, readOrderPage } from '../support/customer.js';
import { allOrders, cartContents, theOrder } from '../support/inspect.js';
import { openHostedPage, payByCard } from '../support/purchase.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const GRACE_MS = 601_000;
const ATTACKER = { ...mugPickup, first_name: 'Mal', last_name: 'Actor', email: 'mal@evil.example' };

/** Adds to the cart and returns the session cookie, as an attacker would plant it. */
async function plantedCookie(shop: TestShop): Promise<string> {
  const answer = await supertest(shop.url)
    .post('/cart/items')
    .type('form')
    .send({ product_id: 'taza-talavera', quantity: '1' });
  return cookieOf(answer);
}

function cookieOf(answer: { headers: Record<string, unknown> }): string {
  const [cookie = ''] = (answer.headers['set-cookie'] ?? []) as readonly string[];
  return cookie.split(';')[0] ?? '';
}

const placeWith = (shop: TestShop, cookie: string, fields: object) =>
  supertest(shop.url).post('/checkout/hosted').set('Cookie', cookie).type('form').redirects(0).send(fields);

const readWith = (shop: TestShop, cookie: string, path: string) =>
  supertest(shop.url).get(path).set('Cookie', cookie);

test('an order page shows the details to the customer who placed the order, and state, number and total to other holders of the link', async () => {
  await using shop = await openTestShop();
  const { customer, session, orderPath } = await openHostedPage(shop, '2');
  const others = [await Customer.withCart(shop), new Customer(shop)];

  const own = await customer.get(orderPath);
  const pages = await Promise.all(others.map((other) => other.get(orderPath)));
  const states = await Promise.all([customer, ...others].map((one) => one.get(`${orderPath}/status`)));
  shop.clock.advance(61 * 60_000);
  const late = await customer.get(orderPath);

  const { number } = await theOrder(shop);
  expect(readOrderPage(own.text)).toEqual({ state: 'pending', number, detail: true });
  for (const text of ['Eva', 'Ruiz Nava', contact.email, 'Taza de talavera', session])
    expect(own.text).toContain(text);
  for (const { text } of pages) {
    expect(readOrderPage(text)).toEqual({ state: 'pending', number, detail: false });
    expect(text).toContain('$578.00');
    expect(text).not.toMatch(/Eva|Ruiz|example\.com|talavera|cs_11/);
  }
  for (const { body } of states) expect(body).toEqual({ number, state: 'pending', safe_to_pay_again: false });
  // The page of an expired session is no longer offered.
  expect(late.text).not.toContain(session);
});

test('an order page of a paid order shows the details to its customer also after the next order', async () => {
  await using shop = await openTestShop();
  const customer = await Customer.withCart(shop);
  await payByCard(shop, customer);
  await customer.add({ product_id: 'jarra-barro-negro' });
  await payByCard(shop, customer);

  const orders = await allOrders(shop);
  const pages = await Promise.all(orders.map(({ token }) => customer.get(`/orders/${token}`)));

  expect(pages.map(({ text }) => readOrderPage(text).detail)).toEqual([true, true]);
});

test('the session id changes when an order is placed, and the cart is kept', async () => {
  await using shop = await openTestShop();
  const before = await plantedCookie(shop);

  const placed = await placeWith(shop, before, mugPickup);
  const cart = await readWith(shop, cookieOf(placed), '/cart');

  expect(cookieOf(placed)).not.toBe(before);
  expect(cookieOf(placed)).toMatch(/^tianguis=/);
  expect(cart.text).toContain('Taza de talavera');
  expect(await cartContents(shop)).toEqual({ 'taza-talavera': 1 });
});

test('the session id known before the order shows no details of it, cannot take it over, and ends after ten minutes', async () => {
  await using shop = await openTestShop();
  const planted = await plantedCookie(shop);
  await placeWith(shop, planted, mugPickup);
  const path = `/orders/${(await theOrder(shop)).token}`;

  const page = await readWith(shop, planted, path);
  const form = await readWith(shop, planted, '/checkout');
  const attack = await placeWith(shop, planted, ATTACKER);
  const attacked = await readWith(shop, cookieOf(attack), path);
  shop.clock.advance(GRACE_MS);
  const later = await readWith(shop, planted, '/cart');

  expect(readOrderPage(page.text).detail).toBe(false);
  expect(form.text).not.toContain(contact.email);
  expect(await theOrder(shop)).toMatchObject({ firstName: 'Eva', email: contact.email });
  expect(readOrderPage(attacked.text).detail).toBe(false);
  expect(later.text).toContain('Tu carrito está vacío');
});

test('the session of an attacker who placed the order with the customer’s e-mail address never shows the address', async () => {
  await using shop = await openTestShop();
  const same = { ...address, shipping_option: 'standard', seen_total: '38800', email: contact.email };
  const guess = { ...ATTACKER, ...same, street: 'Calle Falsa 123' };
  const first = await plantedCookie(shop);
  const earlier = cookieOf(await placeWith(shop, first, guess));
  const planted = cookieOf(await placeWith(shop, first, guess));

  const victim = cookieOf(await placeWith(shop, planted, { ...contact, ...same }));

  const { token, street } = await theOrder(shop);
  const path = `/orders/${token}`;
  const pages = await Promise.all([
    readWith(shop, earlier, path),
    readWith(shop, planted, path),
    readWith(shop, earlier, '/checkout'),
    readWith(shop, '', path),
  ]);
  expect(street).toBe(address.street);
  for (const { text } of pages) expect(text).not.toMatch(/Macedonio|68000|951 ?555/);
  expect((await readWith(shop, victim, path)).text).toContain('Calle Macedonio Alcalá 507, Int. 4-B');
});
