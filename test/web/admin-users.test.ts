import { expect, test } from '@jest/globals';
import express, { type ErrorRequestHandler } from 'express';
import { TOTP } from 'otpauth';
import supertest from 'supertest';
import { newTotpSecret } from '../../src/admin/credentials.js';
import { accessOf, guardRoutes, permissionsOf } from '../../src/admin/permissions.js';
import { updateAdminUser } from '../../src/db/admin-users.js';
import { FEATURES } from '../../src/features/index.js';
import { ROLES, type Role } from '../../src/shop/rules/admin-user.js';
import { addUser, adminRoutesOf, askRoute, openBackOffice, PASSWORD, PUBLIC_ROUTES } from '../support/admin.js';
import { Customer, contact, mugDelivery } from '../support/customer.js';
import { dumpDatabase } from '../support/inspect.js';
import { placePaidOrder } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop({ env: { TRUST_PROXY: '1' } });
const { queries } = shop.context.checkout.db;
for (const role of ROLES) await addUser(shop, role, role);
const clients = new Map<Role, Customer>();
for (const role of ROLES) clients.set(role, await openBackOffice(shop, role));

const permissions = permissionsOf(FEATURES);
const guarded = adminRoutesOf(shop).filter((route) => !PUBLIC_ROUTES.includes(route));

function clientOf(role: Role): Customer {
  const client = clients.get(role);
  if (!client) throw new Error(`no client for ${role}`);
  return client;
}

test('the permissions list every route of the back office', () => {
  expect(guarded.filter((route) => !Object.hasOwn(permissions, route))).toEqual([]);
});

test('a route that the permissions do not list is refused for every role, also as HEAD', async () => {
  const app = express();
  app.use((req, res, next) => {
    res.locals['admin'] = accessOf({ name: 'ana', role: req.get('X-Role') as Role });
    next();
  });
  const routes = guardRoutes(app, { 'GET /admin': ROLES });
  for (const path of ['/admin', '/admin/unlisted']) routes.get(path, (_req, res) => void res.send('shown'));
  const refuse: ErrorRequestHandler = (error, _req, res, _next) => void res.status(403).send(error.code);
  app.use(refuse);

  for (const role of ROLES) {
    const answers = [
      await supertest(app).get('/admin/unlisted').set('X-Role', role),
      await supertest(app).head('/admin/unlisted').set('X-Role', role),
      await supertest(app).head('/admin').set('X-Role', role),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 200]);
    expect(answers[0]?.text).toBe('forbidden');
  }
});

test.each(ROLES)('every route answers a %s as the permissions list', async (role) => {
  const before = await dumpDatabase(shop);
  const ask = async (route: string) => (await askRoute(clientOf(role), route)).status;
  const rolesOf = (route: string): readonly Role[] => permissions[route as keyof typeof permissions] ?? [];
  const allowed = guarded.filter((route) => rolesOf(route).includes(role) && !route.endsWith('sign-out'));
  const forbidden = guarded.filter((route) => !rolesOf(route).includes(role));

  for (const route of forbidden) expect([route, await ask(route)]).toEqual([route, 403]);
  expect(await dumpDatabase(shop)).toBe(before);
  for (const route of allowed) expect([route, await ask(route)]).not.toEqual([route, 403]);
});

test('an order shows each role only the buttons and links that it may use', async () => {
  const { order: review } = await placePaidOrder(shop, contact, { transaction_status: 'Declined' });
  const parts = ['"admin-check"', '"admin-decide"'];
  const partsOf = async (role: Role) => {
    const { text } = await clientOf(role).get(`/admin/orders/${review.number}`);
    return parts.filter((part) => text.includes(part));
  };

  expect(await partsOf('viewer')).toEqual([]);
  expect(await partsOf('fulfillment')).toEqual([]);
  expect(await partsOf('manager')).toEqual(parts);
});

test('a user of the role fulfillment sees the order to pack and no amount or payment on any page', async () => {
  const { order: paid, session } = await placePaidOrder(shop, mugDelivery, { transaction_id: 'T-77' });
  const { order: review } = await placePaidOrder(shop, contact, { amount_total: 1 });
  const paths = ['/admin', '/admin/orders', ...[paid, review].map(({ number }) => `/admin/orders/${number}`)];
  const read = async (role: Role) =>
    (await Promise.all(paths.map((path) => clientOf(role).get(path)))).map(({ text }) => text).join('');

  const [packing, viewing] = [await read('fulfillment'), await read('viewer')];

  for (const part of [paid.number, 'Taza enviada', 'Eva Ruiz Nava', '68000']) expect(packing).toContain(part);
  const secrets = [/\$\d/, /\d{4,}00\b/, 'admin-payment', 'admin-review"', 'T-77', session];
  for (const secret of secrets.slice(0, 1)) expect(viewing).toMatch(secret);
  for (const secret of secrets.slice(2)) expect(viewing).toContain(secret);
  for (const secret of secrets)
    expect(packing).not[typeof secret === 'string' ? 'toContain' : 'toMatch'](secret as never);
});

/** Adds a manager with a second factor. Returns the code of a time step, counted from the present one. */
async function addWithSecondFactor(name: string): Promise<(steps: number) => string> {
  await addUser(shop, name, 'manager');
  const secret = newTotpSecret();
  await updateAdminUser(queries, name, { totpSecret: secret, updatedAt: 1 });
  return (steps) => new TOTP({ secret }).generate({ timestamp: shop.clock.now() + steps * 30_000 });
}

/** Enters the name and the password. */
async function enterPassword(name: string): Promise<Customer> {
  const client = new Customer(shop);
  const answer = await client.post('/admin/sign-in', { step: 'password', name, password: PASSWORD });
  expect(answer.headers['location']).toBe('/admin/sign-in');
  return client;
}

const enterCode = (client: Customer, code: string) => client.post('/admin/sign-in', { step: 'code', code });

test('with a second factor the password alone opens nothing, and a code signs in once', async () => {
  const codeOf = await addWithSecondFactor('once');
  const client = await enterPassword('once');
  const before = await client.get('/admin');
  const form = await client.get('/admin/sign-in');
  const code = codeOf(0);

  const answer = await enterCode(client, ` ${code.slice(0, 3)} ${code.slice(3)}`);
  const again = await enterCode(await enterPassword('once'), code);
  const older = await enterCode(await enterPassword('once'), codeOf(-1));
  const next = await enterCode(await enterPassword('once'), codeOf(1));

  expect([before.status, before.headers['location']]).toEqual([303, '/admin/sign-in']);
  expect(form.text).toContain('autocomplete="one-time-code"');
  expect(answer.headers['location']).toBe('/admin');
  expect((await client.get('/admin')).status).toBe(200);
  expect([again.status, older.status, next.status]).toEqual([401, 401, 303]);
});

test('a wrong or distant code is refused, and the sixth code is not checked', async () => {
  const codeOf = await addWithSecondFactor('guessed');
  const client = await enterPassword('guessed');
  const statuses: number[] = [];

  for (const code of ['', 'abcdef', '0000000', codeOf(-2), codeOf(3), codeOf(0)])
    statuses.push((await enterCode(client, code)).status);

  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  expect((await client.get('/admin')).status).toBe(303);
});

test('a code is refused five minutes after the password, without a password, and after the user was disabled', async () => {
  const codeOf = await addWithSecondFactor('late');
  const disabled = await enterPassword('late');
  await updateAdminUser(queries, 'late', { disabledAt: 1, updatedAt: 1 });
  const afterDisabling = await enterCode(disabled, codeOf(0));
  await updateAdminUser(queries, 'late', { disabledAt: null, updatedAt: 1 });
  const waiting = await enterPassword('late');
  shop.clock.advance(5 * 60_000);

  const answers = [afterDisabling, await enterCode(waiting, codeOf(0)), await enterCode(new Customer(shop), codeOf(0))];

  expect(answers.map(({ headers }) => headers['location'])).toEqual(answers.map(() => '/admin/sign-in'));
});

test('after a hundred failed sign-ins with a name, a new device waits after three tries and a known device signs in', async () => {
  await addUser(shop, 'target', 'viewer');
  const known = await openBackOffice(shop, 'target');
  const guess = (at: number) => {
    const client = new Customer(shop);
    client.agent.set('X-Forwarded-For', `203.0.113.${at}`);
    return client.post('/admin/sign-in', { name: 'Target', password: `${at}` });
  };
  const statuses: number[] = [];
  for (let at = 0; at < 100; at += 1) statuses.push((await guess(at)).status);

  const further = [];
  for (const _ of [1, 2, 3, 4]) further.push((await guess(101)).status);
  const answer = await known.post('/admin/sign-in', { name: 'target', password: PASSWORD });

  expect(new Set(statuses)).toEqual(new Set([401]));
  expect([further, answer.headers['location']]).toEqual([[401, 401, 401, 429], '/admin']);
});
