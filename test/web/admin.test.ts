import { describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { openBackOffice, PASSWORD } from '../support/admin.js';
import { Customer } from '../support/customer.js';
import { dumpDatabase, theOrder } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { openDoor } from '../support/replica.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const env = { ADMIN_PASSWORD: PASSWORD };
const PATHS = [
  ...['/admin', '/admin?number=x', '/admin/orders', '/admin/orders?q=a%40b', '/admin/orders.csv'],
  ...['/admin/orders/TG-2222-3333', '/admin/orders/TG-2222-3333/check'],
];

/** An order whose payment the gateway tells for another amount. */
async function openReview(shop: TestShop) {
  const checkout = await openHostedPage(shop);
  shop.simulator.control.paySession(checkout.session);
  shop.simulator.control.fault('read-session', { kind: 'rewrite', set: { amount_total: 1 } });
  await checkout.customer.get(checkout.returnPath);
  const order = await theOrder(shop);
  return { ...checkout, order, path: `/admin/orders/${order.number}` };
}

describe('the back office', () => {
  test('shows strangers nothing but its sign-in, whatever they ask for', async () => {
    await using shop = await openTestShop({ env });
    const before = await dumpDatabase(shop);

    for (const path of PATHS) {
      const answer = await supertest(shop.url).get(path).redirects(0);
      expect([path, answer.status, answer.headers['location']]).toEqual([path, 303, '/admin/sign-in']);
    }
    for (const path of [
      ...['/admin/orders/TG-2222-3333/decision', '/admin/orders/TG-2222-3333/jobs'],
      '/admin/sign-out',
    ]) {
      const answer = await supertest(shop.url).post(path).redirects(0);
      expect([path, answer.status, answer.headers['location']]).toEqual([path, 303, '/admin/sign-in']);
    }
    expect(await dumpDatabase(shop)).toBe(before);
  });

  test('lets in nobody with a wrong, empty, doubled or endless password', async () => {
    await using shop = await openTestShop({ env });

    for (const password of ['', 'wrong', `${PASSWORD} `, [PASSWORD, PASSWORD], PASSWORD.repeat(60)]) {
      const answer = await new Customer(shop).post('/admin/sign-in', { password });

      expect(answer.status).toBe(401);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  test('refuses to be guessed at, and says for how long', async () => {
    await using shop = await openTestShop({ env });

    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess += 1) {
      statuses.push((await new Customer(shop).post('/admin/sign-in', { password: `${guess}` })).status);
    }
    const right = await new Customer(shop).post('/admin/sign-in', { password: PASSWORD });

    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect(right.status).toBe(429);
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
    expect(shop.logged.join('')).not.toContain(PASSWORD);
  });

  test('a correct password is let in while other addresses guess, and however often it is right', async () => {
    await using shop = await openTestShop({ env: { ...env, TRUST_PROXY: '1' } });
    const signIn = async (address: string, password: string) => {
      const customer = new Customer(shop);
      customer.agent.set('X-Forwarded-For', address);
      return (await customer.post('/admin/sign-in', { password })).status;
    };

    const guesses = Array.from({ length: 64 }, (_, guess) =>
      signIn(`203.0.113.${guess % 16}`, `guess ${guess}`),
    );
    const during = await signIn('198.51.100.1', PASSWORD);
    const refused = await Promise.all(guesses);
    const after: number[] = [];
    for (let visit = 0; visit < 12; visit += 1) after.push(await signIn('198.51.100.1', PASSWORD));

    expect(new Set(refused)).toEqual(new Set([401]));
    expect(during).toBe(303);
    expect(new Set(after)).toEqual(new Set([303]));
  });

  test('is not there without a password in production, and its cookie goes to no other page', async () => {
    await using shop = await openTestShop({ env });
    const answer = await new Customer(shop).post('/admin/sign-in', { password: PASSWORD });

    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^tianguis-admin=[^;]+; Path=\/admin;.*HttpOnly; SameSite=Strict$/,
    );
    const { settings } = shop.context.web;
    const { adminPassword: _, ...without } = settings;
    await using door = await openDoor({ ...shop.context.web, settings: without });
    expect((await supertest(door.url).get('/admin')).status).toBe(404);
    expect(
      (await supertest(door.url).post('/admin/sign-in').type('form').send({ password: '' })).status,
    ).toBe(404);
  });

  test('a visit ends by signing out, by time, and by a new password', async () => {
    await using shop = await openTestShop({ env });
    const leaving = await openBackOffice(shop);
    const staying = await openBackOffice(shop);
    const settings = { ...shop.context.web.settings, adminPassword: 'another password' };
    await using door = await openDoor({ ...shop.context.web, settings });

    await leaving.post('/admin/sign-out', {});
    const cookie = staying.agent.jar.getCookies({
      ...{ domain: 'localhost', path: '/admin', secure: false, script: false },
    });
    const elsewhere = await supertest(door.url)
      .get('/admin')
      .set('Cookie', cookie.toValueString())
      .redirects(0);
    const before = (await staying.get('/admin')).status;
    shop.clock.advance(8 * 60 * 60 * 1000);

    expect((await leaving.get('/admin')).status).toBe(303);
    expect([before, elsewhere.status]).toEqual([200, 303]);
    expect((await staying.get('/admin')).status).toBe(303);
  });

  test('is written for no index, no cache and no other site', async () => {
    await using shop = await openTestShop({ env });
    const merchant = await openBackOffice(shop);

    const page = await merchant.get('/admin');
    const foreign = await merchant.agent
      .post('/admin/sign-out')
      .set('Sec-Fetch-Site', 'cross-site')
      .redirects(0);

    expect(page.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'no-store' });
    expect(foreign.status).toBe(403);
    expect((await merchant.get('/admin')).status).toBe(200);
  });

  test('lists what waits for a person with its reason, and finds an order by its number', async () => {
    await using shop = await openTestShop({ env });
    const merchant = await openBackOffice(shop);
    const empty = await merchant.get('/admin');
    const { order, path } = await openReview(shop);

    const list = await merchant.get('/admin');
    const found = await merchant.get(`/admin/orders?q=%20${order.number.toLowerCase()}`);
    const lost = await merchant.get('/admin/orders?q=TG-0000-0000');

    expect(empty.text).toContain('Nada espera tu decisión');
    expect(list.text).toContain('El monto pagado no es el del pedido.');
    expect(list.text).toContain(`href="${path}"`);
    expect([found.status, found.headers['location']]).toEqual([303, path]);
    expect(lost.text).toContain('No hay ningún pedido con ese número.');
  });

  test('an order shows who, what, every attempt and its history', async () => {
    await using shop = await openTestShop({ env });
    const { order, path, session } = await openReview(shop);

    const page = await (await openBackOffice(shop)).get(path);

    for (const text of [
      order.number,
      order.email,
      'Taza',
      session,
      'Empezó un intento de pago',
      'El servicio contestó',
    ]) {
      expect(page.text).toContain(text);
    }
    expect((await (await openBackOffice(shop)).get('/admin/orders/nobody')).status).toBe(404);
  });

  test('asks the gateway at once when told to, and shows the truth', async () => {
    await using shop = await openTestShop({ env });
    const { session } = await openHostedPage(shop);
    const merchant = await openBackOffice(shop);
    const { number } = await theOrder(shop);

    shop.simulator.control.paySession(session);
    const answer = await merchant.post(`/admin/orders/${number}/check`, {});

    expect(answer.headers['location']).toBe(`/admin/orders/${number}?said=checked`);
    expect((await theOrder(shop)).state).toBe('paid');
  });

  test('carries out a decision, tells what became of it, and keeps the note', async () => {
    await using shop = await openTestShop({ env });
    const { order, path } = await openReview(shop);
    const merchant = await openBackOffice(shop);
    const fields = { decision: 'refund', version: String(order.version), note: '<b>folio 4711</b>' };

    const answer = await merchant.post(`${path}/decision`, fields);
    const again = await merchant.post(`${path}/decision`, fields);
    const page = await merchant.get(answer.headers['location'] ?? '');

    expect(answer.headers['location']).toBe(`${path}?said=done`);
    expect(again.headers['location']).toBe(`${path}?said=changed`);
    expect((await theOrder(shop)).state).toBe('cancelled');
    expect(page.text).toContain('Tu decisión quedó guardada');
    expect(page.text).toContain('&lt;b&gt;folio 4711&lt;/b&gt;');
    expect(page.text).not.toContain('name="decision"');
  });

  test.each([
    ['no decision', {}],
    ['a decision that there is not', { decision: 'paid' }],
    ['two decisions', { decision: ['refund', 'close'] }],
    ['an id that is no id', { decision: 'confirm', gateway_id: '../transactions' }],
  ])('with %s changes nothing and calls nobody', async (_name, fields) => {
    await using shop = await openTestShop({ env });
    const { order, path } = await openReview(shop);
    const merchant = await openBackOffice(shop);
    const before = shop.simulator.control.calls('read-session').length;

    const answer = await merchant.post(`${path}/decision`, { version: String(order.version), ...fields });

    expect(answer.status).toBe(400);
    expect((await theOrder(shop)).version).toBe(order.version);
    expect(shop.simulator.control.calls('read-session')).toHaveLength(before);
  });
});
