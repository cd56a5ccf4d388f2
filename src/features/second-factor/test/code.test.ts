import { expect, test } from '@jest/globals';
import { customerAt } from '../../../../test/support/addresses.js';
import { PASSWORD } from '../../../../test/support/admin.js';
import { Customer } from '../../../../test/support/customer.js';
import { dumpDatabase } from '../../../../test/support/inspect.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { updateAdminUser } from '../../../tables/admin-users.js';
import { addWithFactor, enterCode } from './with-factor.js';

const shop = await openFileShop({ env: { TRUST_PROXY: '1' } });
const { queries } = shop;

const signIn = (client: Customer, name: string) => client.post('/admin/sign-in', { name, password: PASSWORD });

/** Enters the name and the password. */
async function enterPassword(name: string): Promise<Customer> {
  const client = new Customer(shop);
  const answer = await client.post('/admin/sign-in', { name, password: PASSWORD });
  expect(answer.headers['location']).toBe('/admin/sign-in/code');
  return client;
}

test('with a second factor the password alone opens nothing, and a code signs in once', async () => {
  const codeOf = await addWithFactor(shop, 'once');
  const client = await enterPassword('once');
  const before = await client.get('/admin');
  const form = await client.get('/admin/sign-in/code');
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
  const codeOf = await addWithFactor(shop, 'guessed');
  const client = await enterPassword('guessed');
  const statuses: number[] = [];

  for (const code of ['', 'abcdef', '0000000', codeOf(-2), codeOf(3), codeOf(0)])
    statuses.push((await enterCode(client, code)).status);

  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  expect((await client.get('/admin')).status).toBe(303);
});

test('a code is refused five minutes after the password, without a password, and after the user was disabled', async () => {
  const codeOf = await addWithFactor(shop, 'late');
  const disabled = await enterPassword('late');
  await updateAdminUser(queries, 'late', { disabledAt: 1, updatedAt: 1 });
  const afterDisabling = await enterCode(disabled, codeOf(0));
  await updateAdminUser(queries, 'late', { disabledAt: null, updatedAt: 1 });
  const waiting = await enterPassword('late');
  shop.clock.advance(5 * 60_000);

  const answers = [afterDisabling, await enterCode(waiting, codeOf(0)), await enterCode(new Customer(shop), codeOf(0))];

  expect(answers.map(({ headers }) => headers['location'])).toEqual(answers.map(() => '/admin/sign-in'));
});

test.each([
  ['a code', 'wrong', '?answer=1', 'inputmode="numeric"'],
  ['a recovery code', 'abcd-efgh-2345-6abc', '?recovery=1&answer=1', 'autocapitalize="off"'],
])(
  '%s that is refused redirects to its page, which ends with the time for the code',
  async (_what, code, query, field) => {
    const name = `step-${code.length}`;
    await addWithFactor(shop, name, 'viewer');
    const client = customerAt('203.0.113.61', shop);
    await signIn(client, name);

    const posted = await client.agent.post('/admin/sign-in/code').type('form').redirects(0).send({ code });
    const path = `/admin/sign-in/code${query}`;
    const [page, reloaded] = [await client.get(path), await client.get(path)];
    shop.clock.advance(5 * 60_000);
    const ended = await client.get(path);

    expect([posted.status, posted.headers['location']]).toEqual([303, path]);
    for (const { status, text } of [page, reloaded])
      expect([status, text.includes('id="code-error"'), text.includes(field)]).toEqual([401, true, true]);
    expect(`${await dumpDatabase(shop)}${page.text}`).not.toContain(`"${code}"`);
    expect([ended.status, ended.headers['location']]).toEqual([303, '/admin/sign-in']);
  },
);

test('wrong codes lock the network that sends them, and neither another network nor a known device', async () => {
  const codeOfStep = await addWithFactor(shop, 'factor');
  const nextCode = () => {
    shop.clock.advance(30_000);
    return codeOfStep();
  };
  const known = customerAt('203.0.113.3', shop);
  await signIn(known, 'factor');
  await enterCode(known, nextCode());
  const attacker = customerAt('203.0.113.3', shop);
  await signIn(attacker, 'factor');

  const guesses: number[] = [];
  for (let guess = 0; guess < 6; guess += 1) guesses.push((await enterCode(attacker, 'wrong')).status);
  await signIn(known, 'factor');
  const fromDevice = await enterCode(known, nextCode());
  const elsewhere = customerAt('203.0.113.4', shop);
  await signIn(elsewhere, 'factor');
  const fromNetwork = await enterCode(elsewhere, nextCode());

  expect(guesses).toEqual([...Array(5).fill(401), 429]);
  expect([fromDevice, fromNetwork].map(({ headers }) => headers['location'])).toEqual(['/admin', '/admin']);
});

test('a hundred wrong codes from many networks lock further new networks, and not a known device', async () => {
  const code = await addWithFactor(shop, 'spread');
  const known = customerAt('203.0.113.5', shop);
  await signIn(known, 'spread');
  await enterCode(known, code());
  shop.clock.advance(60_000);

  const statuses: number[] = [];
  for (let network = 0; network < 26; network += 1) {
    const attacker = customerAt(`198.51.100.${network}`, shop);
    await signIn(attacker, 'spread');
    for (let guess = 0; guess < 4; guess += 1) statuses.push((await enterCode(attacker, 'wrong')).status);
  }
  await signIn(known, 'spread');

  expect(statuses.filter((status) => status === 401)).toHaveLength(100);
  expect((await enterCode(known, code())).headers['location']).toBe('/admin');
});
