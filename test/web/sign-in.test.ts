import { expect, test } from '@jest/globals';
import supertest from 'supertest';
import { addAdminUser, hashPassword, LOW_COST } from '../../src/admin/credentials.js';
import { createApp } from '../../src/app.js';
import { updateAdminUser } from '../../src/tables/admin-users.js';
import { customerAt } from '../support/addresses.js';
import { addUser, expectWaitingPage, PASSWORD } from '../support/admin.js';
import { numbers, until } from '../support/crowd.js';
import { Customer } from '../support/customer.js';
import { dumpDatabase } from '../support/inspect.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop({ env: { TRUST_PROXY: '1' } });
const { queries } = shop;

const signIn = (client: Customer, name: string, password = PASSWORD) =>
  client.post('/admin/sign-in', { name, password });

test('a sign-out also ends the session from before a second sign-in in the same browser', async () => {
  await addUser(shop, 'twice', 'viewer');
  const client = new Customer(shop);
  const cookies = [(await signIn(client, 'twice')).headers['set-cookie'] ?? ''].flat();
  const first = cookies.find((cookie) => cookie.startsWith('tianguis-admin='))?.split(';', 1)[0] ?? '';
  const askWithFirst = () => new Customer(shop).agent.get('/admin').set('Cookie', first).redirects(0);
  const before = await askWithFirst();

  await signIn(client, 'twice');
  await client.post('/admin/sign-out', {});

  expect([before.status, (await askWithFirst()).status]).toEqual([200, 303]);
});

test('a refused sign-in redirects to its page, which a reload shows again, with the typed name and no password', async () => {
  const client = customerAt('203.0.113.60', shop);
  const guess = 'una clave equivocada';

  const posted = await client.agent
    .post('/admin/sign-in')
    .type('form')
    .redirects(0)
    .send({ name: 'Ana <b>', password: guess });
  const [page, reloaded, plain] = [
    await client.get('/admin/sign-in?answer=1'),
    await client.get('/admin/sign-in?answer=1'),
    await client.get('/admin/sign-in'),
  ];

  expect([posted.status, posted.headers['location']]).toEqual([303, '/admin/sign-in?answer=1']);
  for (const { status, text } of [page, reloaded]) {
    expect([status, text.includes('id="password-error"')]).toEqual([401, true]);
    expect(text).toContain('value="Ana &lt;b&gt;"');
  }
  expect([plain.status, plain.text.includes('password-error')]).toEqual([200, false]);
  const kept = `${await dumpDatabase(shop)}${JSON.stringify(posted.headers)}${page.text}${shop.logged.join('')}`;
  expect(kept).not.toContain(guess);
  expect(await dumpDatabase(shop)).not.toContain('Ana <b>');
});

test('a valid sign-in of one user does not reset the failed sign-ins of its address with other names', async () => {
  await addUser(shop, 'insider', 'viewer');
  const client = customerAt('203.0.113.1', shop);
  const statuses: number[] = [];

  for (let guess = 0; guess < 12; guess += 1) {
    statuses.push((await signIn(client, 'admin', `wrong password ${guess}`)).status);
    if (guess % 5 === 4) statuses.push((await signIn(client, 'insider')).status);
  }

  expect(statuses).toEqual([...Array(5).fill(401), 303, ...Array(5).fill(401), 303, 429, 429]);
});

test.each(['203.0.113.30', '2001:db8:30:1::1'])(
  'ten wrong passwords of one user at %s do not delay another user with a new browser in the same network',
  async (address) => {
    const [wrong, right] = address.includes(':') ? ['careless-6', 'careful-6'] : ['careless', 'careful'];
    for (const name of [wrong, right]) await addUser(shop, name, 'viewer');
    const statuses: number[] = [];
    for (const guess of numbers(12))
      statuses.push((await signIn(customerAt(address, shop), wrong, `no ${guess}`)).status);

    const other = await signIn(customerAt(address, shop), right.toUpperCase());
    const own = await signIn(customerAt(address, shop), wrong);

    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    expect([other.headers['location'], own.status]).toEqual(['/admin', 429]);
  },
);

test('an address tries fifty passwords with any names in 10 min, and a known device of its network still signs in', async () => {
  await addUser(shop, 'seated', 'viewer');
  const known = customerAt('203.0.113.33', shop);
  await signIn(known, 'seated');
  const statuses: number[] = [];
  // The hashes of these users need little work.
  for (const name of numbers(6).map((each) => `any-${each}`)) {
    await addUser(shop, name, 'viewer');
    const tries = name === 'any-5' ? 1 : 10;
    for (const _try of numbers(tries))
      statuses.push((await signIn(customerAt('203.0.113.33', shop), name, 'no')).status);
  }

  expect(statuses).toEqual([...Array(50).fill(401), 429]);
  expect((await signIn(known, 'seated')).headers['location']).toBe('/admin');
});

test('thirty valid sign-ins from one address are no failed ones', async () => {
  await addUser(shop, 'shared', 'viewer');
  const statuses: number[] = [];

  for (let count = 0; count < 30; count += 1)
    statuses.push((await signIn(customerAt('203.0.113.2', shop), 'shared')).status);

  expect(new Set(statuses)).toEqual(new Set([303]));
});

test('a password with the digits of a card number signs in', async () => {
  const password = 'clave 4111 1111 1111 1111';
  const passwordHash = await hashPassword(password, LOW_COST);
  await addAdminUser(queries, { name: 'digits', role: 'viewer', passwordHash }, shop.clock.now());

  const answer = await signIn(new Customer(shop), 'digits', password);

  expect(answer.headers['location']).toBe('/admin');
  // Request ids are random and may hold four of the digits.
  expect(shop.logged.join('')).not.toMatch(/4111[ -]?1111/);
});

test('while 15 networks try 210 passwords, a user signs in from a quiet network, also after a mistake', async () => {
  await addUser(shop, 'quiet', 'manager');
  const before = shop.received.length;
  const guesses = numbers(150).map((guess) =>
    signIn(customerAt(`192.0.2.${guess % 15}`, shop), guess < 110 ? 'quiet' : `name ${guess}`, 'wrong'),
  );
  // The process has received all of them.
  await until(() => shop.received.length >= before + 150);

  const mistaken = await signIn(customerAt('203.0.113.20', shop), 'quiet', 'a mistake');
  const valid = signIn(customerAt('203.0.113.20', shop), 'quiet');
  guesses.push(...numbers(60).map((guess) => signIn(customerAt(`192.0.2.${guess % 15}`, shop), 'quiet', 'wrong')));
  const checked = (await Promise.all(guesses)).filter(({ status }) => status === 401).length;

  expect([mistaken.status, (await valid).headers['location']]).toEqual([401, '/admin']);
  expect(checked).toBeLessThan(210);
});

test('after a hundred wrong passwords with a name, a client has three more tries, and the user still signs in from another', async () => {
  const passwordHash = await hashPassword(PASSWORD, LOW_COST);
  await addAdminUser(queries, { name: 'tried', role: 'viewer', passwordHash }, shop.clock.now());
  const guess = async (host: number) => (await signIn(customerAt(`198.18.0.${host}`, shop), 'tried', 'wrong')).status;
  for (const host of numbers(10)) for (const _ of numbers(10)) await guess(host);

  const further = [];
  for (const _ of numbers(4)) further.push(await guess(10));
  const valid = await signIn(customerAt('203.0.113.21', shop), 'tried');

  expect(further).toEqual([401, 401, 401, 429]);
  expect(valid.headers['location']).toBe('/admin');
});

test('a known device has ten tries of its own, which neither its network nor another user uses up', async () => {
  for (const name of ['owner', 'insider-2']) await addUser(shop, name, 'viewer');
  const [known, other] = [customerAt('2001:db8:8:1::1', shop), customerAt('2001:db8:8:1::1', shop)];
  await signIn(known, 'owner');
  await signIn(other, 'insider-2');
  for (const network of numbers(4))
    for (const host of numbers(10)) await signIn(customerAt(`2001:db8:8:${network}01::${host}`, shop), 'owner', 'x');

  const stranger = await signIn(customerAt('2001:db8:8:1::1', shop), 'owner');
  const insider: number[] = [];
  for (const _try of numbers(11)) insider.push((await signIn(other, 'insider-2', 'x')).status);
  const byInsider = await signIn(other, 'owner');
  const valid = await signIn(known, 'owner');
  const wrong: number[] = [];
  for (const _try of numbers(11)) wrong.push((await signIn(known, 'owner', 'x')).status);

  expect([stranger.status, byInsider.status, valid.headers['location']]).toEqual([429, 429, '/admin']);
  for (const tries of [insider, wrong]) expect(tries).toEqual([...Array(10).fill(401), 429]);
});

test('wrong passwords count for the /56 and /48 networks of an address too', async () => {
  await addUser(shop, 'net', 'viewer');
  const statuses = [];
  for (const network of numbers(4))
    for (const host of numbers(10))
      statuses.push((await signIn(customerAt(`[2001:db8:5:${network}01::${host}]:443`, shop), 'net', 'x')).status);
  const refused = await signIn(customerAt('2001:db8:5:901::1', shop), 'net', 'x');

  expect(new Set(statuses)).toEqual(new Set([401]));
  expect(refused.status).toBe(429);
});

test('the page of a sign-in that must wait belongs to the back office and names the seconds', async () => {
  const client = customerAt('203.0.113.77', shop);
  await addUser(shop, 'calm', 'viewer');
  for (const _try of numbers(10)) await signIn(client, 'calm', 'no');

  expectWaitingPage(await signIn(client, 'calm'), '/admin/sign-in');
});

test('in a browser a sign-in that must wait, and a form that is forbidden, redirect to a page of the back office', async () => {
  await addUser(shop, 'inside', 'viewer');
  const [outside, inside] = [customerAt('203.0.113.62', shop), customerAt('203.0.113.63', shop)];
  await signIn(inside, 'inside');
  for (const _try of numbers(10)) await signIn(outside, 'inside', 'no');
  const post = (client: Customer, path: string, fields: object) =>
    client.agent.post(path).set('Sec-Fetch-Mode', 'navigate').type('form').redirects(0).send(fields);

  const posts = [
    await post(outside, '/admin/sign-in', { name: 'inside', password: PASSWORD }),
    await post(inside, '/admin/orders/TG-2222-3333/check', {}),
  ];
  const [waiting = '', refused = ''] = posts.map(({ headers }) => headers['location'] ?? '');
  const page = await outside.get(waiting);
  shop.clock.advance(60_000);
  const later = await outside.get(waiting);
  const forbidden = await inside.get(refused);

  expect(posts.map(({ status }) => status)).toEqual([303, 303]);
  for (const location of [waiting, refused]) expect(location).toMatch(/^\/admin\/problem\?code=/);
  expectWaitingPage(page, '/admin/sign-in');
  expect([page, forbidden].map(({ text }) => text.includes('/admin/sign-out'))).toEqual([false, true]);
  expect(Number(later.headers['retry-after'])).toBeLessThan(Number(page.headers['retry-after']) - 50);
  expect([forbidden.status, forbidden.text.includes('data-test="admin-problem"')]).toEqual([403, true]);
});

test('a user with a second factor is refused with the reason in a shop that no longer checks codes', async () => {
  await addUser(shop, 'secured', 'manager');
  await updateAdminUser(queries, 'secured', { totpSecret: 'any', updatedAt: 1 });
  const { secondFactor: _, ...web } = shop.context.web;
  const client = supertest.agent(createApp(web));
  const post = (password: string) =>
    client.post('/admin/sign-in').type('form').redirects(0).send({ name: 'secured', password });

  const wrong = await post('wrong');
  const refused = await post(PASSWORD);
  const page = await client.get(refused.headers['location'] ?? '');
  const inside = await client.get('/admin').redirects(0);

  expect(wrong.headers['location']).toBe('/admin/sign-in?answer=1');
  expect([page.status, inside.headers['location']]).toEqual([409, '/admin/sign-in']);
  expect(page.text).toContain('npm run admin -- add');
  const results = await queries.selectFrom('adminSignIns').select('result').orderBy('id', 'desc').limit(2).execute();
  expect(results.map(({ result }) => result)).toEqual(['removed_factor', 'wrong_password']);
  expect(shop.logged.filter((line) => line.includes('"admin.second_factor_removed"'))).toHaveLength(1);
});
