import { afterAll, expect, test } from '@jest/globals';
import supertest, { type Response } from 'supertest';
import { Customer, readOrderPage } from '../support/customer.js';
import { dumpDatabase } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

const MONTH_MS = 31 * 24 * 60 * 60 * 1000;
const shop = await openTestShop();
afterAll(async () => shop[Symbol.asyncDispose]());

const addToCart = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  supertest(url)
    .post('/cart/items')
    .set(headers)
    .type('form')
    .send({ product_id: 'taza-talavera', quantity: '1' });

function cookiesOf({ headers }: Response): readonly string[] {
  return headers['set-cookie'] as unknown as readonly string[];
}

test('the session cookie is not set, and no session stored, for a customer who puts nothing in the cart', async () => {
  const customer = new Customer(shop);
  const before = await dumpDatabase(shop);

  const answers = await Promise.all([
    ...['/', '/cart', '/checkout', '/products/taza-de-talavera', '/nothing'].map((path) =>
      customer.get(path),
    ),
    customer.post('/cart/items', { product_id: 'taza-talavera', quantity: '0' }),
    customer.post('/cart/items/taza-talavera', { quantity: '0' }),
    customer.payHosted(),
    customer.payHosted({}),
  ]);

  for (const answer of answers) expect(answer.headers['set-cookie']).toBeUndefined();
  expect(await dumpDatabase(shop)).toBe(before);
});

test('the session cookie is HttpOnly and SameSite=Lax, and holds a signed id without data', async () => {
  const [cookie = '', ...others] = cookiesOf(await addToCart(shop.url));

  expect(others).toEqual([]);
  expect(cookie).toMatch(/^tianguis=s%3A[\w%.-]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
});

test('the session cookie of a shop with https is Secure and bound to its host, also with X-Forwarded-Proto: http', async () => {
  await using secure = await openTestShop({ env: { PUBLIC_URL: 'https://shop.example' } });

  for (const headers of [undefined, { 'X-Forwarded-Proto': 'http' }]) {
    const [cookie = ''] = cookiesOf(await addToCart(secure.url, headers));
    expect(cookie).toMatch(/^__Host-tianguis=/);
    expect(cookie).toMatch(/; Path=\/;.*HttpOnly; Secure; SameSite=Lax$/);
    expect(cookie).not.toMatch(/Domain/i);
  }
});

test('the session cookie with an id that the shop did not sign is replaced', async () => {
  const planted = 's%3Aattackers-own-session-id.c2lnbmF0dXJl';

  const answer = await addToCart(shop.url, { Cookie: `tianguis=${planted}` });

  expect(answer.status).toBe(303);
  expect(cookiesOf(answer).join()).not.toContain('attackers-own');
  expect(await dumpDatabase(shop)).not.toContain('attackers-own');
});

test('a session ends after a month without a visit', async () => {
  await using other = await openTestShop();
  const customer = await Customer.withCart(other);
  const inTime = await customer.get('/cart');

  other.clock.advance(MONTH_MS);
  const tooLate = await customer.get('/cart');

  expect(inTime.text).not.toContain('Tu carrito está vacío');
  expect(tooLate.text).toContain('Tu carrito está vacío');
});

test('a session that cannot be read stops cart and checkout with 503, but neither the catalog nor a paid return', async () => {
  await using other = await openTestShop();
  const { customer, session, returnPath, orderPath } = await openHostedPage(other);
  other.simulator.control.paySession(session);
  const { schema } = other.context.checkout.db.queries;
  await schema.alterTable('sessions').renameTo('sessions_elsewhere').execute();

  const catalog = await customer.get('/');
  const cart = await customer.get('/cart');
  const checkout = await customer.payHosted();
  const back = await customer.get(returnPath);
  const page = await customer.get(orderPath);

  expect([catalog.status, cart.status, checkout.status]).toEqual([200, 503, 503]);
  expect(cart.headers['retry-after']).toBe('5');
  expect([back.status, back.headers['location']]).toEqual([303, orderPath]);
  expect(readOrderPage(page.text)).toMatchObject({ state: 'paid', detail: false });
});
