import { afterAll, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { openBackOffice, PASSWORD } from '../support/admin.js';
import { Customer } from '../support/customer.js';
import { dumpDatabase } from '../support/inspect.js';
import { openDoor } from '../support/replica.js';
import { openTestShop } from '../support/test-shop.js';

const EIGHT_HOURS_MS = 8 * 60 * 60 * 1000;
const shop = await openTestShop({ env: { ADMIN_PASSWORD: PASSWORD, TRUST_PROXY: '1' } });
afterAll(async () => shop[Symbol.asyncDispose]());

/** Signs in from an address of its own, because failed sign-ins are counted by address. */
function signIn(address: string, password: unknown) {
  const customer = new Customer(shop);
  customer.agent.set('X-Forwarded-For', address);
  return customer.post('/admin/sign-in', { password });
}

test('without an admin session every page and form leads to the sign-in and changes nothing', async () => {
  const before = await dumpDatabase(shop);
  const order = '/admin/orders/TG-2222-3333';
  const pages = ['/admin', '/admin?number=x', '/admin/orders', '/admin/orders?q=a%40b', '/admin/orders.csv'];

  const answers = await Promise.all([
    ...[...pages, order, `${order}/check`].map((path) => supertest(shop.url).get(path).redirects(0)),
    ...[`${order}/decision`, `${order}/jobs`, '/admin/sign-out'].map((path) =>
      supertest(shop.url).post(path).redirects(0),
    ),
  ]);

  for (const { status, headers } of answers)
    expect([status, headers['location']]).toEqual([303, '/admin/sign-in']);
  expect(await dumpDatabase(shop)).toBe(before);
});

test.each(['', 'wrong', `${PASSWORD} `, [PASSWORD, PASSWORD], PASSWORD.repeat(60)])(
  'the wrong, empty, doubled or overlong password %j opens no admin session',
  async (password) => {
    const answer = await signIn('203.0.113.1', password);

    expect(answer.status).toBe(401);
    expect(answer.headers['set-cookie']).toBeUndefined();
  },
);

test('after ten failed sign-ins from one address the correct password is refused with the time to wait', async () => {
  const statuses: number[] = [];
  for (let guess = 0; guess < 11; guess += 1) statuses.push((await signIn('203.0.113.2', `${guess}`)).status);
  const correct = await signIn('203.0.113.2', PASSWORD);

  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  expect(correct.status).toBe(429);
  expect(Number(correct.headers['retry-after'])).toBeGreaterThan(0);
  expect(shop.logged.join('')).not.toContain(PASSWORD);
});

test('a correct password is accepted while other addresses guess, and more than ten times', async () => {
  const guesses = Array.from({ length: 24 }, (_, guess) => signIn(`192.0.2.${guess % 16}`, `guess ${guess}`));
  const during = await signIn('198.51.100.1', PASSWORD);
  const refused = await Promise.all(guesses);
  const after: number[] = [];
  for (let time = 0; time < 11; time += 1) after.push((await signIn('198.51.100.1', PASSWORD)).status);

  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([401]));
  expect(during.status).toBe(303);
  expect(new Set(after)).toEqual(new Set([303]));
});

test('in production without an admin password the back office is not found', async () => {
  const { adminPassword: _, ...settings } = shop.context.web.settings;
  await using door = await openDoor({ ...shop.context.web, settings });

  const page = await supertest(door.url).get('/admin');
  const posted = await supertest(door.url).post('/admin/sign-in').type('form').send({ password: '' });

  expect([page.status, posted.status]).toEqual([404, 404]);
});

test('an admin session ends at sign-out, after eight hours and with a new password', async () => {
  const leaving = await openBackOffice(shop);
  const staying = await openBackOffice(shop);
  const settings = { ...shop.context.web.settings, adminPassword: 'another password' };
  await using door = await openDoor({ ...shop.context.web, settings });

  await leaving.post('/admin/sign-out', {});
  const cookie = staying.agent.jar.getCookies({
    ...{ domain: 'localhost', path: '/admin', secure: false, script: false },
  });
  const withNewPassword = await supertest(door.url)
    .get('/admin')
    .set('Cookie', cookie.toValueString())
    .redirects(0);
  const before = await staying.get('/admin');
  shop.clock.advance(EIGHT_HOURS_MS);
  const after = await staying.get('/admin');

  expect((await leaving.get('/admin')).status).toBe(303);
  expect([before.status, withNewPassword.status, after.status]).toEqual([200, 303, 303]);
});

test('an admin session has a cookie for /admin only; its pages have no index, no cache and accept no post from other sites', async () => {
  const answer = await signIn('198.51.100.2', PASSWORD);
  const merchant = await openBackOffice(shop);

  const page = await merchant.get('/admin');
  const foreign = await merchant.agent
    .post('/admin/sign-out')
    .set('Sec-Fetch-Site', 'cross-site')
    .redirects(0);

  expect(answer.headers['set-cookie']?.[0]).toMatch(
    /^tianguis-admin=[^;]+; Path=\/admin;.*HttpOnly; SameSite=Strict$/,
  );
  expect(page.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'no-store' });
  expect(foreign.status).toBe(403);
  expect((await merchant.get('/admin')).status).toBe(200);
});
