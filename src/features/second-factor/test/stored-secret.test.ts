import { expect, test } from '@jest/globals';
import { addUser, PASSWORD } from '../../../../test/support/admin.js';
import { Customer } from '../../../../test/support/customer.js';
import { dumpDatabase } from '../../../../test/support/inspect.js';
import { openDoor } from '../../../../test/support/replica.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { findAdminUserByName, updateAdminUser } from '../../../tables/admin-users.js';
import { newTotpSecret } from '../totp.js';
import { openTotpSecret, sealStoredSecrets, sealTotpSecret } from '../totp-secret.js';
import { codeOf, enterCode } from './with-factor.js';

const shop = await openFileShop();
const { queries } = shop;
const [SESSION_SECRET] = shop.context.web.secrets.sessionSecrets;

/** Adds a user, and stores the secret of the second factor as it is. */
async function addWithStored(name: string, stored: (id: string) => string) {
  await addUser(shop, name, 'viewer');
  const user = await findAdminUserByName(queries, name);
  await updateAdminUser(queries, name, { totpSecret: stored(user?.id ?? ''), updatedAt: 1 });
}

async function storedOf(name: string): Promise<string> {
  return (await findAdminUserByName(queries, name))?.totpSecret ?? '';
}

async function signIn(name: string, secret: string) {
  const client = new Customer(shop);
  await client.post('/admin/sign-in', { name, password: PASSWORD });
  return enterCode(client, codeOf(shop, secret));
}

test('a start encrypts the stored secrets of second factors, ends no session, and the codes sign in as before', async () => {
  const secret = newTotpSecret();
  await addWithStored('plain', () => secret);
  const before = await findAdminUserByName(queries, 'plain');

  await shop.openReplica();
  const stored = await storedOf('plain');
  await shop.openReplica();

  expect(stored).toMatch(/^aes-256-gcm:/);
  expect(await dumpDatabase(shop)).not.toContain(secret);
  expect(await findAdminUserByName(queries, 'plain')).toEqual({ ...before, totpSecret: stored });
  expect((await signIn('plain', secret)).headers['location']).toBe('/admin');
});

test('a secret that is still stored unencrypted signs in', async () => {
  const secret = newTotpSecret();
  await addWithStored('early', () => secret);

  expect((await signIn('early', secret)).headers['location']).toBe('/admin');
});

test('after a change of SESSION_SECRET, and with the secret of another user, the sign-in names the command that resets the second factor', async () => {
  const secret = newTotpSecret();
  const other = newTotpSecret();
  await addWithStored('changed', (id) => sealTotpSecret(secret, id, 'x'.repeat(40)));
  await addWithStored('moved', () => sealTotpSecret(other, 'another user', SESSION_SECRET));

  const answers = [await signIn('changed', secret), await signIn('moved', other)];

  for (const { status, text } of answers) {
    expect(status).toBe(409);
    expect(text).toContain('npm run admin -- totp');
  }
  const lines = shop.logged.filter((line) => line.includes('"admin.second_factor_unreadable"'));
  expect(lines.map((line) => (JSON.parse(line) as { user: string }).user)).toEqual(['changed', 'moved']);
  const signIns = await queries
    .selectFrom('adminSignIns')
    .selectAll()
    .where('result', '=', 'unreadable_factor')
    .execute();
  expect(signIns).toHaveLength(2);
});

test('the same secret is stored differently for each user and each time', () => {
  const secret = newTotpSecret();
  const stored = [1, 2].map(() => sealTotpSecret(secret, 'a', SESSION_SECRET));

  expect(new Set(stored).size).toBe(2);
  for (const each of stored) expect(each).not.toContain(secret);
});

test('case 188: a second factor of the older SESSION_SECRET signs in, and a start encrypts it with the newest one', async () => {
  const secret = newTotpSecret();
  const [older, newest] = [SESSION_SECRET, 'y'.repeat(40)];
  await addWithStored('eva', (id) => sealTotpSecret(secret, id, older));
  const { web } = shop.context;
  await using both = await openDoor({ ...web, secrets: { ...web.secrets, sessionSecrets: [newest, older] } });

  const client = new Customer(both);
  await client.post('/admin/sign-in', { name: 'eva', password: PASSWORD });
  const signedIn = await enterCode(client, codeOf(shop, secret));
  await sealStoredSecrets(queries, [newest, older]);
  const stored = await storedOf('eva');
  const { id = '' } = (await findAdminUserByName(queries, 'eva')) ?? {};

  expect(signedIn.headers['location']).toBe('/admin');
  expect([openTotpSecret(stored, id, [newest]), openTotpSecret(stored, id, [older])]).toEqual([secret, undefined]);
});
