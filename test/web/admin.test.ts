import { createHook } from 'node:async_hooks';
import { expect, test } from '@jest/globals';
import { hashPassword, isPassword, LOW_COST } from '../../src/admin/credentials.js';
import { updateAdminUser } from '../../src/tables/admin-users.js';
import { addUser, askRoute, guardedRoutesOf, openBackOffice, PASSWORD } from '../support/admin.js';
import { until } from '../support/crowd.js';
import { Customer } from '../support/customer.js';
import { openFileShop } from '../support/shared-shop.js';
import { openTestShop } from '../support/test-shop.js';
import { expectUnchanged } from '../support/unchanged.js';

const EIGHT_HOURS_MS = 8 * 60 * 60 * 1000;
const shop = await openFileShop({ env: { TRUST_PROXY: '1' } });
const { queries } = shop.context.checkout.db;
// The sign-ins of this file need many checks of this password.
await updateAdminUser(queries, 'admin', {
  passwordHash: await hashPassword(PASSWORD, LOW_COST),
  updatedAt: 1,
});

/** Signs in from an address of its own, because failed sign-ins are counted by address. */
function signIn(address: string, password: unknown, name = 'admin') {
  const customer = new Customer(shop);
  customer.agent.set('X-Forwarded-For', address);
  return customer.post('/admin/sign-in', { name, password });
}

test('without an admin session every page and form redirects to the sign-in and changes nothing', async () => {
  const visitor = new Customer(shop);
  const routes = guardedRoutesOf(shop);

  await expectUnchanged(shop, async () => {
    for (const route of [...routes, 'GET /admin?number=x']) {
      const { status, headers } = await askRoute(visitor, route);
      expect([route, status, headers['location']]).toEqual([
        route,
        303,
        expect.stringMatching(/^\/admin\/sign-in(?:\?return=1)?$/),
      ]);
    }
  });
});

test('the wrong, empty, doubled or overlong password and an unknown name open no admin session', async () => {
  const passwords = ['', 'wrong', `${PASSWORD} `, [PASSWORD, PASSWORD], PASSWORD.repeat(60)];
  const answers = [await signIn('203.0.113.1', PASSWORD, 'nothing')];
  for (const password of passwords) answers.push(await signIn('203.0.113.1', password));

  for (const { status, headers } of answers) expect([status, headers['set-cookie']]).toEqual([401, undefined]);
});

test('after ten failed sign-ins from one address the correct password is refused with the time to wait', async () => {
  const statuses: number[] = [];
  for (let guess = 0; guess < 11; guess += 1) statuses.push((await signIn('203.0.113.2', `${guess}`)).status);
  const correct = await signIn('203.0.113.2', PASSWORD);

  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  expect(correct.status).toBe(429);
  expect(Number(correct.headers['retry-after'])).toBeGreaterThan(0);
  expect(shop.logged.join('')).not.toContain(PASSWORD);
});

test('a correct password is accepted more than ten times', async () => {
  const statuses: number[] = [];
  for (let time = 0; time < 11; time += 1) statuses.push((await signIn('198.51.100.1', PASSWORD)).status);

  expect(new Set(statuses)).toEqual(new Set([303]));
});

test('a known device signs in before the 100 wrong passwords of 10 addresses, and most of these are refused unchecked', async () => {
  const known = await openBackOffice(shop);
  const received = () => shop.received.filter((line) => line === 'POST /admin/sign-in').length;
  const before = received();
  let checked = 0;
  const guesses = Array.from({ length: 100 }, async (_, guess) => {
    const answer = await signIn(`192.0.2.${guess % 10}`, 'wrong', `name ${guess}`);
    if (answer.status === 401) checked += 1;
    return answer;
  });
  await until(() => received() === before + 100);
  const checkedBefore = checked;

  const { status } = await known.post('/admin/sign-in', { name: 'admin', password: PASSWORD });
  const checkedMeanwhile = checked - checkedBefore;
  const answers = await Promise.all(guesses);

  expect(status).toBe(303);
  // 24 were waiting.
  expect(checkedMeanwhile).toBeLessThan(8);
  const refused = answers.filter((answer) => answer.status === 429);
  expect([checked + refused.length, refused.length > 50]).toEqual([100, true]);
  expect(new Set(refused.map(({ headers }) => headers['retry-after']))).toEqual(new Set(['5']));
});

test('an unknown address of the back office is not found and links to the back office', async () => {
  const admin = await openBackOffice(shop);

  for (const path of ['/admin/nothing', '/admin/orders/TG-2222-2222']) {
    const { status, text } = await admin.get(path);

    expect(status).toBe(404);
    expect(text).toContain('no hay ningún pedido, producto o página con esta dirección');
    expect(text).toMatch(/class="button[^>]*href="\/admin"/);
  }
});

test('without users the back office is not found, and a user that is added opens it without a restart', async () => {
  await using empty = await openTestShop();
  await empty.context.checkout.db.queries.deleteFrom('adminUsers').execute();
  const visitor = new Customer(empty);

  const page = await visitor.get('/admin');
  const posted = await visitor.post('/admin/sign-in', { name: 'admin', password: '' });
  await addUser(empty, 'ana', 'viewer');
  const merchant = await openBackOffice(empty, 'Ana');

  expect([page.status, posted.status]).toEqual([404, 404]);
  expect((await merchant.get('/admin')).status).toBe(200);
});

test('two processes that start at once create one user, and a later start changes no password', async () => {
  await using empty = await openTestShop({ env: { ADMIN_PASSWORD: PASSWORD } });
  const { queries: users } = empty.context.checkout.db;
  await users.deleteFrom('adminUsers').execute();

  await Promise.all([empty.openReplica(), empty.openReplica()]);
  const created = await users.selectFrom('adminUsers').selectAll().execute();
  await updateAdminUser(users, 'admin', { passwordHash: 'changed', updatedAt: 1 });
  await empty.openReplica();
  const later = await users.selectFrom('adminUsers').selectAll().execute();

  expect(created.map(({ name, role }) => [name, role])).toEqual([['admin', 'manager']]);
  expect(later.map(({ passwordHash }) => passwordHash)).toEqual(['changed']);
});

test('an admin session ends at sign-out, after eight hours, with a new password and when the user is disabled', async () => {
  for (const name of ['luz', 'eva']) await addUser(shop, name, 'manager');
  const leaving = await openBackOffice(shop);
  const staying = await openBackOffice(shop);
  const changed = await openBackOffice(shop, 'luz');
  const disabled = await openBackOffice(shop, 'eva');
  const updatedAt = shop.clock.now();

  await leaving.post('/admin/sign-out', {});
  await updateAdminUser(queries, 'LUZ', { passwordHash: 'changed', updatedAt });
  await updateAdminUser(queries, 'eva', { disabledAt: updatedAt, updatedAt });
  const before = await staying.get('/admin');
  const ended = await Promise.all([leaving, changed, disabled].map((client) => client.get('/admin')));
  const signedIn = await signIn('198.51.100.9', PASSWORD, 'eva');
  shop.clock.advance(EIGHT_HOURS_MS);
  const after = await staying.get('/admin');

  expect([before.status, ...ended.map(({ status }) => status), after.status]).toEqual([...[200, 303, 303, 303, 303]]);
  expect(signedIn.status).toBe(401);
});

test('a machine whose clock is less than two seconds behind accepts a new admin session, and one that is a minute behind does not', async () => {
  const merchant = await openBackOffice(shop);
  const statuses: number[] = [];
  for (const backMs of [1_900, 60_000]) {
    shop.clock.advance(-backMs);
    statuses.push((await merchant.get('/admin')).status);
    shop.clock.advance(backMs);
  }

  expect(statuses).toEqual([200, 303]);
});

test('an admin session has a cookie for /admin only; its pages have no index, no cache and accept no post from other sites', async () => {
  const answer = await signIn('198.51.100.2', PASSWORD);
  const merchant = await openBackOffice(shop);

  const page = await merchant.get('/admin');
  const foreign = await merchant.agent.post('/admin/sign-out').set('Sec-Fetch-Site', 'cross-site').redirects(0);

  expect(([] as string[]).concat(answer.headers['set-cookie'] ?? []).at(-1)).toMatch(
    /^tianguis-admin=[^;]+; Path=\/admin;.*HttpOnly; SameSite=Strict$/,
  );
  expect(page.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'no-store' });
  expect(foreign.status).toBe(403);
  expect((await merchant.get('/admin')).status).toBe(200);
});

test('many passwords checked at once leave threads free for files and name lookups', async () => {
  const stored = await hashPassword(PASSWORD, LOW_COST);
  const running = new Set<number>();
  let max = 0;
  const hook = createHook({
    init(id, type) {
      if (type === 'SCRYPTREQUEST') running.add(id);
      max = Math.max(max, running.size);
    },
    before: (id) => void running.delete(id),
  });
  hook.enable();

  const guesses = (['known', 'unknown'] as const).flatMap((device) =>
    Array.from({ length: 9 }, (_, guess) => isPassword(`${guess}`, stored, device)),
  );

  expect(new Set(await Promise.all(guesses))).toEqual(new Set([false]));
  expect(await isPassword(PASSWORD, stored)).toBe(true);
  hook.disable();
  // Known and other devices. Node has four threads.
  expect(max).toBe(2);
});

test('a password hash has its own salt and parameters, and no other password matches it', async () => {
  const [strong, again, cheap] = await Promise.all([
    hashPassword(PASSWORD),
    hashPassword(PASSWORD),
    hashPassword(PASSWORD, LOW_COST),
  ]);

  expect(strong).toMatch(/^scrypt:16384:8:5:[\w-]{22}:[\w-]{43}$/);
  expect(strong).not.toBe(again);
  expect(await isPassword(PASSWORD, strong)).toBe(true);
  for (const wrong of ['', `${PASSWORD} `, PASSWORD.toUpperCase()]) expect(await isPassword(wrong, cheap)).toBe(false);
});

test('a password check without a user calls scrypt once with the parameters of a user, and fails', async () => {
  const stored = await hashPassword(PASSWORD);
  const calls: string[] = [];
  const hook = createHook({ init: (_id, type) => void (type === 'SCRYPTREQUEST' && calls.push(type)) });
  hook.enable();
  const workOf = async (hash: string | undefined) => {
    const before = calls.length;
    const matches = await isPassword(PASSWORD, hash);
    return { matches, scrypts: calls.length - before };
  };

  const known = await workOf(stored);
  const unknown = await workOf(undefined);
  hook.disable();

  expect([known, unknown]).toEqual([
    { matches: true, scrypts: 1 },
    { matches: false, scrypts: 1 },
  ]);
});
