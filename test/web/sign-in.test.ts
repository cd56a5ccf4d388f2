import { expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import { addAdminUser, hashPassword, LOW_COST, newTotpSecret } from '../../src/admin/credentials.js';
import { updateAdminUser } from '../../src/db/admin-users.js';
import { addUser, PASSWORD } from '../support/admin.js';
import { numbers, until } from '../support/crowd.js';
import { Customer } from '../support/customer.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop({ env: { TRUST_PROXY: '1' } });
const { queries } = shop;

/** A client at an address of its own. */
function clientAt(address: string): Customer {
  const client = new Customer(shop);
  client.agent.set('X-Forwarded-For', address);
  return client;
}

const signIn = (client: Customer, name: string, password = PASSWORD) =>
  client.post('/admin/sign-in', { step: 'password', name, password });
const enterCode = (client: Customer, code: string) => client.post('/admin/sign-in', { step: 'code', code });

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

test('the page of a sign-in that must wait, and of a form that does, belongs to the back office and names the seconds', async () => {
  const client = clientAt('203.0.113.77');
  await addUser(shop, 'calm', 'viewer');
  const inside = clientAt('203.0.113.78');
  await signIn(inside, 'calm');
  for (const _try of numbers(10)) {
    await signIn(client, 'calm', 'no');
    await inside.post('/admin/account/factor', { factor_password: 'no' });
  }

  const pages = [
    await signIn(client, 'calm'),
    await inside.post('/admin/account/factor', { factor_password: PASSWORD }),
  ];

  const links = pages.map(({ text }) => /<ul class="actions">.*?href="([^"]+)"/s.exec(text)?.[1]);
  expect(links).toEqual(['/admin/sign-in', '/admin']);
  for (const { status, headers, text } of pages) {
    expect([status, text.includes('<body class="admin">')]).toEqual([429, true]);
    expect(text).toContain(`Espera ${headers['retry-after']} s`);
    expect(text).not.toContain('No se te cobró');
  }
});

test('a valid sign-in of one user does not reset the failed sign-ins of its address with other names', async () => {
  await addUser(shop, 'insider', 'viewer');
  const client = clientAt('203.0.113.1');
  const statuses: number[] = [];

  for (let guess = 0; guess < 12; guess += 1) {
    statuses.push((await signIn(client, 'admin', `wrong password ${guess}`)).status);
    if (guess % 5 === 4) statuses.push((await signIn(client, 'insider')).status);
  }

  expect(statuses).toEqual([...Array(5).fill(401), 303, ...Array(5).fill(401), ...Array(3).fill(429)]);
});

test('thirty valid sign-ins from one address are no failed ones', async () => {
  await addUser(shop, 'shared', 'viewer');
  const statuses: number[] = [];

  for (let count = 0; count < 30; count += 1) statuses.push((await signIn(clientAt('203.0.113.2'), 'shared')).status);

  expect(new Set(statuses)).toEqual(new Set([303]));
});

test('wrong codes lock the network that sends them, and neither another network nor a known device', async () => {
  await addUser(shop, 'factor', 'manager');
  const secret = newTotpSecret();
  await updateAdminUser(queries, 'factor', { totpSecret: secret, updatedAt: 1 });
  const nextCode = () => {
    shop.clock.advance(30_000);
    return new TOTP({ secret }).generate({ timestamp: shop.clock.now() });
  };
  const known = clientAt('203.0.113.3');
  await signIn(known, 'factor');
  await enterCode(known, nextCode());
  const attacker = clientAt('203.0.113.3');
  await signIn(attacker, 'factor');

  const guesses: number[] = [];
  for (let guess = 0; guess < 6; guess += 1) guesses.push((await enterCode(attacker, 'wrong')).status);
  await signIn(known, 'factor');
  const fromDevice = await enterCode(known, nextCode());
  const elsewhere = clientAt('203.0.113.4');
  await signIn(elsewhere, 'factor');
  const fromNetwork = await enterCode(elsewhere, nextCode());

  expect(guesses).toEqual([...Array(5).fill(401), 429]);
  expect([fromDevice, fromNetwork].map(({ headers }) => headers['location'])).toEqual(['/admin', '/admin']);
});

test('a hundred wrong codes from many networks lock further new networks, and not a known device', async () => {
  await addUser(shop, 'spread', 'manager');
  const secret = newTotpSecret();
  await updateAdminUser(queries, 'spread', { totpSecret: secret, updatedAt: 1 });
  const code = () => new TOTP({ secret }).generate({ timestamp: shop.clock.now() });
  const known = clientAt('203.0.113.5');
  await signIn(known, 'spread');
  await enterCode(known, code());
  shop.clock.advance(60_000);

  const statuses: number[] = [];
  for (let network = 0; network < 26; network += 1) {
    const attacker = clientAt(`198.51.100.${network}`);
    await signIn(attacker, 'spread');
    for (let guess = 0; guess < 4; guess += 1) statuses.push((await enterCode(attacker, 'wrong')).status);
  }
  await signIn(known, 'spread');

  expect(statuses.filter((status) => status === 401)).toHaveLength(100);
  expect((await enterCode(known, code())).headers['location']).toBe('/admin');
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

test('while 15 networks try 150 passwords, a user signs in from a quiet network, also after a mistake', async () => {
  await addUser(shop, 'quiet', 'manager');
  const before = shop.received.length;
  const guesses = numbers(150).map((guess) =>
    signIn(clientAt(`192.0.2.${guess % 15}`), guess < 110 ? 'quiet' : `name ${guess}`, 'wrong'),
  );
  // The process has received all of them.
  await until(() => shop.received.length >= before + 150);

  const mistaken = await signIn(clientAt('203.0.113.20'), 'quiet', 'a mistake');
  const valid = await signIn(clientAt('203.0.113.20'), 'quiet');
  const checked = (await Promise.all(guesses)).filter(({ status }) => status === 401).length;

  expect([mistaken.status, valid.headers['location']]).toEqual([401, '/admin']);
  expect(checked).toBeLessThan(150);
});

test('after a hundred wrong passwords with a name, a client has three more tries, and the user still signs in from another', async () => {
  const passwordHash = await hashPassword(PASSWORD, LOW_COST);
  await addAdminUser(queries, { name: 'tried', role: 'viewer', passwordHash }, shop.clock.now());
  const guess = async (host: number) => (await signIn(clientAt(`198.18.0.${host}`), 'tried', 'wrong')).status;
  for (const host of numbers(10)) for (const _ of numbers(10)) await guess(host);

  const further = [];
  for (const _ of numbers(4)) further.push(await guess(10));
  const valid = await signIn(clientAt('203.0.113.21'), 'tried');

  expect(further).toEqual([401, 401, 401, 429]);
  expect(valid.headers['location']).toBe('/admin');
});

test('wrong passwords count for the /56 and /48 networks of an address too', async () => {
  await addUser(shop, 'net', 'viewer');
  const statuses = [];
  for (const network of numbers(4))
    for (const host of numbers(10))
      statuses.push((await signIn(clientAt(`[2001:db8:5:${network}01::${host}]:443`), 'net', 'x')).status);
  const refused = await signIn(clientAt('2001:db8:5:901::1'), 'net', 'x');

  expect(new Set(statuses)).toEqual(new Set([401]));
  expect(refused.status).toBe(429);
});
