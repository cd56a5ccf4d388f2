/** Users of the back office in the browser: managers add and change them, and each user changes the own password. */
import { expect, test } from '@jest/globals';
import { customerAt } from '../../../../test/support/addresses.js';
import { addUser, openBackOffice, PASSWORD, resultOf } from '../../../../test/support/admin.js';
import { numbers } from '../../../../test/support/crowd.js';
import { Customer } from '../../../../test/support/customer.js';
import { dumpDatabase } from '../../../../test/support/inspect.js';
import { receiveMails } from '../../../../test/support/mailbox.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { findAdminUserByName, lockManagers } from '../../../tables/admin-users.js';
import { hashOf } from '../random-codes.js';

const shop = await openFileShop({ env: { TRUST_PROXY: '1' } });
const { queries } = shop;
const HOUR_MS = 60 * 60 * 1000;
const NEW_PASSWORD = 'otra contraseña larga';
const newPassword = { new_password: NEW_PASSWORD, new_password_again: NEW_PASSWORD };

await addUser(shop, 'gerente', 'manager');
const manager = await openBackOffice(shop, 'gerente');
const own = { own_password: PASSWORD };

const signIn = (name: string, password: string, client = new Customer(shop)) =>
  client.post('/admin/sign-in', { name, password });
const secretsIn = (html: string) => [...html.matchAll(/<code class="admin-secret">([^<]+)</g)].map(([, code]) => code);

/** Returns the path of the link in the newest mail to this address. */
async function linkFor(email: string): Promise<string> {
  const mail = (await receiveMails(shop)).findLast(({ to }) => to.includes(email));
  return /\/set-password\/[\w-]{32}/.exec(mail?.text ?? '')?.[0] ?? '';
}

test('a user with an address sets the password by a link that works once, and the stored data and the log hold no link', async () => {
  const added = await manager.post('/admin/users', { ...own, name: 'ana', role: 'viewer', email: 'ana@example.com' });
  const link = await linkFor('ana@example.com');
  const before = await dumpDatabase(shop);
  const visitor = new Customer(shop);
  const page = await visitor.get(link);
  const short = await visitor.post(link, { new_password: 'corta', new_password_again: 'corta' });
  const differing = await visitor.post(link, { ...newPassword, new_password_again: PASSWORD });
  const crossSite = await visitor.agent.post(link).set('Sec-Fetch-Site', 'cross-site').type('form').send(newPassword);
  expect(await dumpDatabase(shop)).toBe(before);

  const uses = await Promise.all([visitor.post(link, newPassword), visitor.post(link, newPassword)]);
  const again = [await visitor.get(link), await visitor.post(link, newPassword)];

  expect(resultOf(added)).toBe('mailed');
  expect([page.status, page.headers['cache-control'], page.headers['referrer-policy']]).toEqual([
    ...[200, 'no-store', 'strict-origin'],
  ]);
  expect(page.text).toContain('ana');
  expect([short.status, differing.status, crossSite.status]).toEqual([422, 422, 403]);
  expect(uses.map(({ status }) => status).sort()).toEqual([303, 404]);
  expect(again.map(({ status }) => status)).toEqual([404, 404]);
  expect((await signIn('ana', NEW_PASSWORD)).headers['location']).toBe('/admin');
  const secret = link.split('/').at(-1) ?? '';
  expect(before).not.toContain(secret);
  expect(shop.logged.join('\n')).not.toContain(secret);
});

test('a refused password of a link redirects to its page, which a reload shows again, and nothing typed is kept', async () => {
  await manager.post('/admin/users', { ...own, name: 'sol', role: 'viewer', email: 'sol@example.com' });
  const link = await linkFor('sol@example.com');
  const before = await dumpDatabase(shop);
  const visitor = new Customer(shop);
  const post = (fields: object) => visitor.agent.post(link).type('form').redirects(0).send(fields);

  const posts = [
    await post({ new_password: 'corta', new_password_again: 'corta' }),
    await post({ ...newPassword, new_password_again: PASSWORD }),
  ];
  const locations = posts.map(({ headers }) => headers['location'] ?? '');
  const pages = [];
  for (const path of locations) pages.push(await visitor.get(path), await visitor.get(path));
  const forged = await visitor.get(`${link}?problem=__proto__&answer=1`);
  const plain = await visitor.get(link);

  expect(locations).toEqual([`${link}?problem=length&answer=1`, `${link}?problem=differ&answer=1`]);
  expect(pages.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
  expect(pages.map(({ text }) => /id="(\w+)-error"/.exec(text)?.[1])).toEqual([
    ...['new_password', 'new_password', 'new_password_again', 'new_password_again'],
  ]);
  expect([forged.status, plain.status]).toEqual([200, 200]);
  expect(await dumpDatabase(shop)).toBe(before);
});

test.each(['-', '_'])('a link from before whose %j at the end was cut off sets the password once', async (last) => {
  const name = last === '-' ? 'cut-1' : 'cut-2';
  await manager.post('/admin/users', { ...own, name, role: 'viewer', email: 'cut@example.com' });
  const token = `${name}${'x'.repeat(26)}`;
  const { id: userId } = await queries
    .selectFrom('adminUsers')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  const link = { hash: hashOf(token + last), userId, expiresAt: shop.clock.now() + HOUR_MS };
  await queries.insertInto('adminLinks').values(link).execute();
  const visitor = customerAt(`203.0.113.${last === '-' ? 31 : 32}`, shop);
  const post = () => visitor.send(`/set-password/${token}).`, newPassword);

  const form = await visitor.get(`/set-password/${token}.?a=1`);
  const [set, again] = [await post(), await post()];

  expect([form.status, form.headers['location']]).toEqual([303, `/set-password/${token}${last}?a=1`]);
  expect([set.headers['location'], again.status]).toEqual(['/admin/sign-in', 404]);
  expect((await visitor.get(`/set-password/${token.slice(1)}`)).status).toBe(404);
});

test('the page of a link that must wait belongs to the back office, in a browser at an address of its own', async () => {
  const visitor = new Customer(shop);
  visitor.agent.set('X-Forwarded-For', '203.0.113.9');
  const unknown = `/set-password/${'b'.repeat(32)}`;
  const ended = await visitor.agent.post(unknown).type('form').redirects(0).send(newPassword);
  for (const _try of numbers(10)) await visitor.get(unknown);

  const page = await visitor.get(unknown);
  const posted = await visitor.agent.post(unknown).set('Sec-Fetch-Mode', 'navigate').type('form').redirects(0).send({});
  const problem = await visitor.get(posted.headers['location'] ?? '');

  expect([ended.status, ended.headers['location']]).toEqual([303, `${unknown}?answer=1`]);
  expect([posted.status, posted.headers['location']?.split('?')[0]]).toEqual([303, '/admin/problem']);
  for (const { status, text, headers } of [page, problem]) {
    expect([status, text.includes('<body class="admin">')]).toEqual([429, true]);
    expect(text).toContain(`Espera ${headers['retry-after']} s`);
  }
});

test('a link ends after 72 hours, with the next one, and when its user is disabled', async () => {
  const email = 'eva@example.com';
  await manager.post('/admin/users', { ...own, name: 'eva', role: 'viewer', email });
  const first = await linkFor(email);
  shop.clock.advance(HOUR_MS);
  await manager.post('/admin/users/eva/reset', { reset_password: PASSWORD, email });
  const second = await linkFor(email);
  const statusOf = async (link: string) => (await new Customer(shop).get(link)).status;
  const replaced = [await statusOf(first), await statusOf(second)];
  await manager.post('/admin/users/eva/state', { state_password: PASSWORD, state: 'disabled' });
  const disabled = await new Customer(shop).post(second, newPassword);
  await manager.post('/admin/users/eva/state', { state_password: PASSWORD, state: 'enabled' });
  const enabled = await statusOf(second);
  shop.clock.advance(HOUR_MS);
  await manager.post('/admin/users/eva/reset', { reset_password: PASSWORD, email });
  const third = await linkFor(email);
  shop.clock.advance(72 * HOUR_MS);

  expect(replaced).toEqual([404, 200]);
  expect([disabled.status, enabled, await statusOf(third)]).toEqual([404, 404, 404]);
  const tries: number[] = [];
  const other = new Customer(shop);
  other.agent.set('X-Forwarded-For', '203.0.113.7');
  for (let at = 0; at < 11; at += 1) tries.push((await other.get(`/set-password/${'a'.repeat(32)}`)).status);
  expect(tries).toEqual([...Array<number>(10).fill(404), 429]);
  shop.clock.advance(-74 * HOUR_MS);
});

test('a first password is shown once, opens nothing but its change, and the change ends the other sessions', async () => {
  const added = await manager.post('/admin/users', { ...own, name: 'luz', role: 'fulfillment' });
  const [first = ''] = secretsIn(added.text);
  const client = new Customer(shop);
  const other = new Customer(shop);
  for (const each of [client, other]) await signIn('luz', first, each);
  const closed = await client.get('/admin/orders');
  const closedForm = await client.post('/admin/account/factor', { factor_password: first });
  const account = await client.get('/admin/account');
  const change = (fields: object) => client.post('/admin/account/password', { current_password: first, ...fields });
  const refused = [
    await change({ ...newPassword, current_password: PASSWORD }),
    await change({ new_password: first, new_password_again: first }),
    await change({ new_password: 'corta', new_password_again: 'corta' }),
  ];
  const changed = await change(newPassword);

  expect(first).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
  expect([closed, closedForm].map(({ headers }) => headers['location'])).toEqual(['/admin/account', '/admin/account']);
  expect(account.text).toContain('Tu contraseña es provisional');
  expect(refused.map(({ status }) => status)).toEqual([422, 422, 422]);
  expect(changed.headers['location']).toBe('/admin');
  expect((await client.get('/admin/orders')).status).toBe(200);
  expect((await other.get('/admin/orders')).headers['location']).toBe('/admin/sign-in?return=1');
  expect((await signIn('luz', first)).status).toBe(401);
  expect((await manager.get('/admin/users')).text).not.toContain(first);
  expect(shop.logged.join('\n')).not.toContain(first);
});

test('of two sessions that change the password at once one wins, as does a reset against a stolen session', async () => {
  await addUser(shop, 'noe', 'viewer');
  const sessions = [await openBackOffice(shop, 'noe'), await openBackOffice(shop, 'noe')];
  const form = { current_password: PASSWORD, ...newPassword };

  const answers = await Promise.all(sessions.map((each) => each.post('/admin/account/password', form)));
  const open = await Promise.all(sessions.map((each) => each.get('/admin/orders')));

  expect(answers.filter((answer) => resultOf(answer) === 'password_changed')).toHaveLength(1);
  expect(open.map(({ status }) => status).sort()).toEqual([200, 303]);
});

test('a lower role and a disabled user take effect on open sessions at once, and managers see who changed what', async () => {
  await addUser(shop, 'tito', 'manager');
  const tito = await openBackOffice(shop, 'tito');
  const lowered = await manager.post('/admin/users/tito/role', { role_password: PASSWORD, role: 'viewer' });
  const afterRole = await tito.get('/admin/users');
  const again = await openBackOffice(shop, 'tito');
  const forbidden = [
    await again.get('/admin/users/gerente'),
    await again.post('/admin/users', { ...own, name: 'intruso', role: 'manager' }),
    await again.post('/admin/users/tito/role', { role_password: PASSWORD, role: 'manager' }),
    await again.post('/admin/users/gerente/reset', { reset_password: PASSWORD }),
  ];
  const disabled = await manager.post('/admin/users/tito/state', { state_password: PASSWORD, state: 'disabled' });
  const afterDisabling = await again.get('/admin');
  const history = await manager.get('/admin/users/tito');

  expect([resultOf(lowered), resultOf(disabled)]).toEqual(['role_changed', 'disabled']);
  expect([afterRole, afterDisabling].map(({ headers }) => headers['location'])).toEqual([
    '/admin/sign-in?return=1',
    '/admin/sign-in',
  ]);
  expect(forbidden.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect(await findAdminUserByName(queries, 'intruso')).toBeUndefined();
  for (const part of ['El rol cambió de Gerencia a Consulta', 'Se desactivó', '· gerente'])
    expect(history.text).toContain(part);
});

test.each([
  ['disabled', { disabledAt: 1 }],
  ['lowered', { role: 'viewer' }],
  ['reset', { sessionVersion: 9 }],
] as const)('a manager who is %s while the own password is checked adds and changes no user', async (how, change) => {
  await addUser(shop, `jefe-${how}`, 'manager');
  const client = await openBackOffice(shop, `jefe-${how}`);
  const name = `nadie-${how}`;

  // The transactions of both forms wait for this one.
  const answers = await shop.checkout.db.transaction(async (held) => {
    await lockManagers(held);
    const posts = [
      client.post('/admin/users', { ...own, name, role: 'viewer' }),
      client.post('/admin/users/gerente/reset', { reset_password: PASSWORD }),
    ];
    // Few, because the forms wait for 3 s.
    for (const _turn of numbers(4)) await client.get('/admin/account');
    await held.updateTable('adminUsers').set(change).where('name', '=', `jefe-${how}`).execute();
    return () => Promise.all(posts);
  });

  expect((await answers()).map(({ status }) => status)).toEqual([403, 403]);
  expect(await findAdminUserByName(queries, name)).toBeUndefined();
  expect((await manager.get('/admin/account')).status).toBe(200);
  await queries.updateTable('adminUsers').set({ disabledAt: 1 }).where('name', '=', `jefe-${how}`).execute();
});

test('ten wrong passwords of a stolen session close its forms, and not those of another session of its user', async () => {
  await addUser(shop, 'rosa', 'viewer');
  const [stolen, other] = [await openBackOffice(shop, 'rosa'), await openBackOffice(shop, 'rosa')];
  const change = (client: Customer, password: string) =>
    client.post('/admin/account/password', { current_password: password, ...newPassword });

  const tries: number[] = [];
  for (const _try of numbers(10)) tries.push((await change(stolen, 'no')).status);
  const closed = await change(stolen, PASSWORD);
  const open = await change(other, PASSWORD);

  expect(tries).toEqual(Array(10).fill(422));
  expect([closed.status, resultOf(open)]).toEqual([429, 'password_changed']);
});

test('a form with a wrong password, a forged role, a taken or overlong name or a bad address changes nothing', async () => {
  const user = { ...own, name: 'nuevo', role: 'viewer' };
  const forms = [
    ['/admin/users', { ...user, own_password: NEW_PASSWORD }],
    ['/admin/users', { ...user, role: 'owner' }],
    ['/admin/users', { ...user, name: 'a'.repeat(5000) }],
    ['/admin/users', { ...user, name: '<b>x</b>' }],
    ['/admin/users', { ...user, name: 'GERENTE' }],
    ['/admin/users', { ...user, email: 'x@example.com\r\nBcc: y@example.com' }],
    ['/admin/users/gerente/role', { role_password: PASSWORD, role: 'constructor' }],
    ['/admin/users/gerente/role', { role_password: 'no', role: 'viewer' }],
    ['/admin/users/gerente/state', { state: 'disabled' }],
    ['/admin/users/gerente/reset', { reset_password: PASSWORD, email: 'x' }],
  ] as const;
  const users = async () => [
    await queries.selectFrom('adminUsers').selectAll().execute(),
    await queries.selectFrom('adminLinks').selectAll().execute(),
  ];
  const before = await users();

  for (const [path, fields] of forms) expect([path, (await manager.post(path, fields)).status]).toEqual([path, 422]);
  expect((await manager.post('/admin/users/unknown/role', { role_password: PASSWORD, role: 'viewer' })).status).toBe(
    404,
  );
  expect(await users()).toEqual(before);
  const stored = await dumpDatabase(shop);
  for (const password of [PASSWORD, NEW_PASSWORD]) expect(stored).not.toContain(password);
});

test('the last manager cannot be lowered or disabled, and of two managers who lower each other at once one stays', async () => {
  for (const name of ['admin', 'tito'])
    await manager.post(`/admin/users/${name}/state`, { state_password: PASSWORD, state: 'disabled' });
  const before = await findAdminUserByName(queries, 'gerente');
  const alone = [
    await manager.post('/admin/users/gerente/role', { role_password: PASSWORD, role: 'viewer' }),
    await manager.post('/admin/users/gerente/state', { state_password: PASSWORD, state: 'disabled' }),
  ];
  expect(alone.map(({ status }) => status)).toEqual([422, 422]);
  expect(await findAdminUserByName(queries, 'gerente')).toEqual(before);
  for (const name of ['par', 'non']) await addUser(shop, name, 'manager');
  const [par, non] = [await openBackOffice(shop, 'par'), await openBackOffice(shop, 'non')];

  const answers = await Promise.all([
    par.post('/admin/users/non/role', { role_password: PASSWORD, role: 'viewer' }),
    non.post('/admin/users/par/role', { role_password: PASSWORD, role: 'viewer' }),
  ]);

  const roles = [await findAdminUserByName(queries, 'par'), await findAdminUserByName(queries, 'non')];
  expect(roles.filter((user) => user?.role === 'manager')).toHaveLength(1);
  expect(answers.filter((answer) => resultOf(answer) === 'role_changed')).toHaveLength(1);
});

test('case 175: a password may have the digits of a card number, and works as typed in every form of an account', async () => {
  const digits = 'clave 7501031311095 4111111111111111';
  await addUser(shop, 'raul', 'viewer');
  const client = await openBackOffice(shop, 'raul');
  const twice = (password: string) => ({ new_password: password, new_password_again: password });

  const changed = await client.post('/admin/account/password', { current_password: PASSWORD, ...twice(digits) });
  const back = await client.post('/admin/account/password', { current_password: digits, ...twice(`${digits}\u00ad`) });

  expect([changed.headers['location'], back.headers['location']]).toEqual(
    Array.from({ length: 2 }, () => '/admin/account?result=password_changed'),
  );
  expect((await signIn('raul', digits)).status).toBe(401);
  expect((await signIn('raul', `${digits}\u00ad`)).headers['location']).toBe('/admin');
});
