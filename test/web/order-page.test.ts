import { describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { Customer, contact, readOrderPage } from '../support/customer.js';
import { allOrders, cartContents, theOrder } from '../support/inspect.js';
import { openHostedPage, payByCard } from '../support/purchase.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const GRACE_MS = 601_000;

/** Adds to the cart and gives the cookie that came of it, as an attacker would plant it. */
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

describe('an order', () => {
  test('is shown whole to the customer who placed it, and only as state, number and total to anyone else', async () => {
    await using shop = await openTestShop();
    const { customer, orderPath } = await openHostedPage(shop, '2');

    const own = await customer.get(orderPath);
    const other = await Customer.withCart(shop).then((stranger) => stranger.get(orderPath));
    const bare = await new Customer(shop).get(orderPath);

    const { number } = await theOrder(shop);
    expect(readOrderPage(own.text)).toEqual({ state: 'pending', number, detail: true });
    for (const text of ['Eva', 'Ruiz Nava', contact.email, 'Taza de talavera'])
      expect(own.text).toContain(text);
    for (const page of [other, bare]) {
      expect(readOrderPage(page.text)).toEqual({ state: 'pending', number, detail: false });
      expect(page.text).toContain('$578.00');
      expect(page.text).not.toMatch(/Eva|Ruiz|example\.com|talavera|cs_11/);
    }
  });

  test('tells its state as JSON, and nothing of the person, to its own customer and to anyone with the link', async () => {
    await using shop = await openTestShop();
    const { customer, orderPath } = await openHostedPage(shop);

    const answers = [
      await customer.get(`${orderPath}/status`),
      await new Customer(shop).get(`${orderPath}/status`),
    ];

    const { number } = await theOrder(shop);
    for (const answer of answers) expect(answer.body).toEqual({ number, state: 'pending' });
  });

  test('of a paid cart stays the customer’s own, and the next one as well', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    await payByCard(shop, customer);
    await customer.add({ product_id: 'jarra-barro-negro' });
    await payByCard(shop, customer);

    const orders = await allOrders(shop);
    const pages = await Promise.all(orders.map(({ token }) => customer.get(`/orders/${token}`)));

    expect(orders).toHaveLength(2);
    expect(pages.map(({ text }) => readOrderPage(text).detail)).toEqual([true, true]);
  });

  test('offers the open payment page to its own customer only, and not once that page has run out', async () => {
    await using shop = await openTestShop();
    const { customer, session, orderPath } = await openHostedPage(shop);
    const open = await customer.get(orderPath);
    const stranger = await new Customer(shop).get(orderPath);

    shop.clock.advance(61 * 60_000);
    const late = await customer.get(orderPath);

    expect(open.text).toContain(session);
    expect(stranger.text).not.toContain(session);
    expect(late.text).not.toContain(session);
  });
});

describe('a session', () => {
  test('gets a new id when an order is placed, and the cart comes along', async () => {
    await using shop = await openTestShop();
    const before = await plantedCookie(shop);

    const placed = await placeWith(shop, before, contact);
    const cart = await readWith(shop, cookieOf(placed), '/cart');

    expect(cookieOf(placed)).not.toBe(before);
    expect(cookieOf(placed)).toMatch(/^tianguis=/);
    expect(cart.text).toContain('Taza de talavera');
    expect(await cartContents(shop)).toEqual({ 'taza-talavera': 1 });
  });

  test('id that was known before the order does not see the order after, and is dead soon', async () => {
    await using shop = await openTestShop();
    const planted = await plantedCookie(shop);
    await placeWith(shop, planted, contact);
    const path = `/orders/${(await theOrder(shop)).token}`;

    const atOnce = await readWith(shop, planted, path);
    const form = await readWith(shop, planted, '/checkout');
    shop.clock.advance(GRACE_MS);
    const later = await readWith(shop, planted, '/cart');

    expect(readOrderPage(atOnce.text).detail).toBe(false);
    expect(form.text).not.toContain(contact.email);
    expect(later.text).toContain('Tu carrito está vacío');
  });

  test('id that was known before the order cannot turn the order into the attacker’s own', async () => {
    await using shop = await openTestShop();
    const planted = await plantedCookie(shop);
    await placeWith(shop, planted, contact);

    const attack = await placeWith(shop, planted, {
      first_name: 'Mal',
      last_name: 'Actor',
      email: 'mal@evil.example',
    });

    const order = await theOrder(shop);
    const page = await readWith(shop, cookieOf(attack), `/orders/${order.token}`);
    expect(order).toMatchObject({ firstName: 'Eva', email: contact.email });
    expect(readOrderPage(page.text).detail).toBe(false);
  });

  test('that placed the order first does not see the person who takes it over', async () => {
    await using shop = await openTestShop();
    const first = await plantedCookie(shop);
    const attacker = { first_name: 'Mal', last_name: 'Actor', email: 'mal@evil.example' };
    const kept = cookieOf(await placeWith(shop, first, attacker));
    const planted = cookieOf(await placeWith(shop, first, attacker));

    const victim = cookieOf(await placeWith(shop, planted, contact));

    const path = `/orders/${(await theOrder(shop)).token}`;
    const spied = [await readWith(shop, kept, path), await readWith(shop, planted, path)];
    const own = await readWith(shop, victim, path);
    for (const page of [...spied, await readWith(shop, kept, '/checkout')]) {
      expect(page.text).not.toContain(contact.email);
    }
    expect(own.text).toContain(contact.email);
  });

  test('id of before the order, on its way with a second click, leads to the same page and owns it too', async () => {
    await using shop = await openTestShop();
    const before = await plantedCookie(shop);

    const [first, second] = await Promise.all([
      placeWith(shop, before, contact),
      placeWith(shop, before, contact),
    ]);
    const path = `/orders/${(await theOrder(shop)).token}`;
    const pages = [await readWith(shop, cookieOf(first), path), await readWith(shop, cookieOf(second), path)];

    expect(first.headers['location']).toBe(second.headers['location']);
    expect(pages.map(({ text }) => readOrderPage(text).detail)).toEqual([true, true]);
  });

  test('whose first try failed may correct the address at the next', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    shop.simulator.control.fault('create-session', { kind: 'status', status: 422 }, 1);
    await customer.payHosted({ ...contact, email: 'eva.wrong@example.com' });

    const next = await customer.payHosted();

    expect(next.status).toBe(302);
    expect((await theOrder(shop)).email).toBe(contact.email);
  });
});
