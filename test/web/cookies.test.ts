import { describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { Customer, readOrderPage } from '../support/customer.js';
import { dumpDatabase } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

async function sessionRows(shop: TestShop): Promise<number> {
  const dump = await dumpDatabase(shop);
  return dump.split('\n').filter((line) => line.startsWith('sessions ')).length;
}

describe('cookies', () => {
  test('a customer who puts nothing in a cart gets neither a cookie nor a session', async () => {
    await using shop = await openTestShop();
    const customer = new Customer(shop);

    const answers = [
      await customer.get('/'),
      await customer.get('/cart'),
      await customer.get('/checkout'),
      await customer.get('/products/taza-de-talavera'),
      await customer.get('/nothing'),
      await customer.post('/cart/items', { product_id: 'taza-talavera', quantity: '0' }),
      await customer.post('/cart/items/taza-talavera', { quantity: '0' }),
      await customer.payHosted(),
      await customer.payHosted({}),
    ];

    for (const answer of answers) expect(answer.headers['set-cookie']).toBeUndefined();
    expect(await dumpDatabase(shop)).toBe('');
  });

  test('the session cookie is out of reach of scripts and of other sites, and holds no data', async () => {
    await using shop = await openTestShop();

    const answer = await supertest(shop.url)
      .post('/cart/items')
      .type('form')
      .send({ product_id: 'taza-talavera', quantity: '1' });

    const [cookie = '', ...others] = answer.headers['set-cookie'] as unknown as string[];
    expect(others).toEqual([]);
    expect(cookie).toMatch(/^tianguis=s%3A[\w%.-]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    expect(await sessionRows(shop)).toBe(1);
  });

  test('with a public address in https the cookie is Secure and bound to this host, whatever headers say', async () => {
    await using shop = await openTestShop({ env: { PUBLIC_URL: 'https://shop.example' } });
    const add = () =>
      supertest(shop.url)
        .post('/cart/items')
        .type('form')
        .send({ product_id: 'taza-talavera', quantity: '1' });

    const answers = [await add(), await add().set('X-Forwarded-Proto', 'http')];

    for (const answer of answers) {
      const [cookie = ''] = answer.headers['set-cookie'] as unknown as string[];
      expect(cookie).toMatch(/^__Host-tianguis=/);
      expect(cookie).toMatch(/; Path=\/;.*HttpOnly; Secure; SameSite=Lax$/);
      expect(cookie).not.toMatch(/Domain/i);
    }
  });

  test('a session id that the shop did not sign, or no longer knows, is never taken over', async () => {
    await using shop = await openTestShop();
    const planted = 's%3Aattackers-own-session-id.c2lnbmF0dXJl';

    const answer = await supertest(shop.url)
      .post('/cart/items')
      .set('Cookie', `tianguis=${planted}`)
      .type('form')
      .send({ product_id: 'taza-talavera', quantity: '1' });

    const [cookie = ''] = answer.headers['set-cookie'] as unknown as string[];
    expect(answer.status).toBe(303);
    expect(cookie).not.toContain('attackers-own');
    expect(await dumpDatabase(shop)).not.toContain('attackers-own');
  });

  test('a cookie header full of nonsense is a customer without a session', async () => {
    await using shop = await openTestShop();
    const nonsense = [
      'tianguis=',
      'tianguis=%zz',
      'tianguis=s%3A',
      ';;;=;',
      `x=${'y'.repeat(8000)}`,
      'lang=xx',
    ];

    const answers = await Promise.all(
      nonsense.map((cookie) => supertest(shop.url).get('/cart').set('Cookie', cookie)),
    );

    expect(answers.map(({ status }) => status)).toEqual(nonsense.map(() => 200));
    expect(await dumpDatabase(shop)).toBe('');
  });

  test('a session ends after its time', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    const inTime = await customer.get('/cart');

    shop.clock.advance(31 * 24 * 60 * 60 * 1000);
    const tooLate = await customer.get('/cart');

    expect(inTime.text).not.toContain('Tu carrito está vacío');
    expect(tooLate.text).toContain('Tu carrito está vacío');
  });

  test('with the session table gone the catalog is there and the cart says try again', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    const { schema } = shop.context.checkout.db.queries;
    await schema.alterTable('sessions').renameTo('sessions_elsewhere').execute();

    const catalog = await customer.get('/');
    const cart = await customer.get('/cart');
    const checkout = await customer.payHosted();

    expect(catalog.status).toBe(200);
    expect([cart.status, checkout.status]).toEqual([503, 503]);
    expect(cart.headers['retry-after']).toBe('5');
  });

  test('with the session table gone a customer who paid is confirmed all the same, as a stranger', async () => {
    await using shop = await openTestShop();
    const { customer, session, returnPath, orderPath } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);
    const { schema } = shop.context.checkout.db.queries;
    await schema.alterTable('sessions').renameTo('sessions_elsewhere').execute();

    const back = await customer.get(returnPath);
    const page = await customer.get(orderPath);

    expect([back.status, back.headers['location']]).toEqual([303, orderPath]);
    expect(readOrderPage(page.text)).toMatchObject({ state: 'paid', detail: false });
  });
});
