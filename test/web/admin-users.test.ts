import { expect, test } from '@jest/globals';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import supertest from 'supertest';
import { adminRoutesOf } from '../../src/admin/admin-routes.js';
import { accessOf, addGuardedRoutes, routeName } from '../../src/admin/permissions.js';
import type { Role } from '../../src/shop/rules/admin-user.js';
import { addUser, askRoute, guardedRoutesOf, openBackOffice, PASSWORD, ROLES } from '../support/admin.js';
import { Customer, contact, mugDelivery } from '../support/customer.js';
import { dumpDatabase } from '../support/inspect.js';
import { placePaidOrder } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop({ env: { TRUST_PROXY: '1' } });
for (const role of ROLES) await addUser(shop, role, role);
const clients = new Map<Role, Customer>();
for (const role of ROLES) clients.set(role, await openBackOffice(shop, role));

/** Longer than what a random id or order number may hold. */
const TRANSACTION = 'bank-transaction-77';

const listed = new Map(adminRoutesOf(shop.context.web).map((route) => [routeName(route), route.roles]));
const guarded = guardedRoutesOf(shop);

function clientOf(role: Role): Customer {
  const client = clients.get(role);
  if (!client) throw new Error(`no client for ${role}`);
  return client;
}

test('every route under /admin is listed with its roles', () => {
  expect(guarded.filter((route) => !listed.has(route))).toEqual([]);
});

test('a route with an empty list of roles is refused for every role, also as HEAD', async () => {
  const app = express();
  app.use((req, res, next) => {
    res.locals['admin'] = accessOf({ name: 'ana', role: req.get('X-Role') as Role });
    next();
  });
  const handler: RequestHandler = (_req, res) => void res.send('shown');
  addGuardedRoutes(app, [
    { get: '/admin', roles: ROLES, handler },
    { get: '/admin/without-roles', roles: [], handler },
  ]);
  const refuse: ErrorRequestHandler = (error, _req, res, _next) => void res.status(403).send(error.code);
  app.use(refuse);

  for (const role of ROLES) {
    const answers = [
      await supertest(app).get('/admin/without-roles').set('X-Role', role),
      await supertest(app).head('/admin/without-roles').set('X-Role', role),
      await supertest(app).head('/admin').set('X-Role', role),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 200]);
    expect(answers[0]?.text).toBe('forbidden');
  }
});

test.each(ROLES)('every route answers a %s as its list of roles says', async (role) => {
  const before = await dumpDatabase(shop);
  const ask = async (route: string) => (await askRoute(clientOf(role), route)).status;
  const rolesOf = (route: string): readonly Role[] => listed.get(route) ?? [];
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
  const { order: paid, session } = await placePaidOrder(shop, mugDelivery, { transaction_id: TRANSACTION });
  const { order: review } = await placePaidOrder(shop, contact, { amount_total: 1 });
  const paths = ['/admin', '/admin/orders', ...[paid, review].map(({ number }) => `/admin/orders/${number}`)];
  const read = async (role: Role) =>
    (await Promise.all(paths.map((path) => clientOf(role).get(path)))).map(({ text }) => text).join('');

  const [packing, viewing] = [await read('fulfillment'), await read('viewer')];

  for (const part of [paid.number, 'Taza enviada', 'Eva Ruiz Nava', '68000']) expect(packing).toContain(part);
  const secrets = [/\$\d/, new RegExp(`\\b${paid.total}\\b`), 'admin-payment', 'admin-review"', TRANSACTION, session];
  for (const secret of secrets.slice(0, 1)) expect(viewing).toMatch(secret);
  for (const secret of secrets.slice(2)) expect(viewing).toContain(secret);
  for (const secret of secrets)
    expect(packing).not[typeof secret === 'string' ? 'toContain' : 'toMatch'](secret as never);
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
