/** Second factor in the browser: each user sets it up, removes it, and signs in with recovery codes. */
import { expect, test } from '@jest/globals';
import decodeQR from 'qr/decode.js';
import { addUser, openBackOffice, PASSWORD, resultOf } from '../../../../test/support/admin.js';
import { Customer } from '../../../../test/support/customer.js';
import { dumpDatabase } from '../../../../test/support/inspect.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { findAdminUserByName } from '../../../tables/admin-users.js';
import { codeOf, enterCode } from './with-factor.js';

const shop = await openFileShop();
const { queries } = shop;
const WITH_PASSWORD = { factor_password: PASSWORD };

/** Returns the text of the QR code of a page. */
function readQr(html: string): string {
  const size = Number(/viewBox="0 0 (\d+) \1" shape-rendering/.exec(html)?.[1]);
  const scale = 4;
  const side = size * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [, x, y] of html.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let at = 0; at < scale * scale; at += 1) {
      const column = Number(x) * scale + (at % scale);
      const row = Number(y) * scale + Math.floor(at / scale);
      data.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
    }
  return decodeQR({ width: side, height: side, data });
}

const codesIn = (html: string) =>
  [...html.matchAll(/<code class="admin-secret">([^<]+)</g)].map(([, code = '']) => code);

/** Adds a user with a second factor. Returns its client, its recovery codes and the code of the next time step. */
async function setUp(name: string) {
  await addUser(shop, name, 'viewer');
  const client = await openBackOffice(shop, name);
  const begun = await client.post('/admin/account/factor', WITH_PASSWORD);
  const sealed = /name="sealed" value="([^"]+)"/.exec(begun.text)?.[1] ?? '';
  const address = readQr(begun.text);
  const secret = new URL(address).searchParams.get('secret') ?? '';
  const code = (steps = 0) => codeOf(shop, secret, steps);
  const confirm = (typed: string) => client.post('/admin/account/factor/set-up', { sealed, code: typed });
  return { client, begun, sealed, address, secret, code, confirm };
}

async function enterPassword(name: string): Promise<Customer> {
  const client = new Customer(shop);
  await client.post('/admin/sign-in', { name, password: PASSWORD });
  return client;
}

test('the second factor of a QR code counts after its first code, and ends the other sessions of the user', async () => {
  const { client, begun, address, secret, code, confirm } = await setUp('ana');
  const other = await openBackOffice(shop, 'ana');
  const refused = await client.post('/admin/account/factor', { factor_password: 'no' });
  const right = [-1, 0, 1].map(code);
  const wrong = await confirm(['000000', '111111', '222222', '333333'].find((each) => !right.includes(each)) ?? '');
  const before = await findAdminUserByName(queries, 'ana');
  const typed = code();
  const done = await confirm(typed);
  const replayed = await confirm(typed);

  expect(address).toMatch(/^otpauth:\/\/totp\/[^?]+ana\?/);
  expect(begun.text.replaceAll(' ', '')).toContain(secret);
  expect(begun.text.replaceAll('&amp;', '&').replaceAll('&#38;', '&')).toContain(`href="${address}"`);
  expect(begun.headers['cache-control']).toBe('no-store');
  expect([refused.status, wrong.status, replayed.status]).toEqual([422, 422, 422]);
  expect(before?.totpSecret).toBeNull();
  expect(codesIn(done.text)).toHaveLength(10);
  expect((await other.get('/admin')).headers['location']).toBe('/admin/sign-in');
  expect((await client.get('/admin/account/factor')).text).toContain('Te quedan 10 códigos');
  expect((await enterCode(await enterPassword('ana'), code(1))).headers['location']).toBe('/admin');
  const stored = await dumpDatabase(shop);
  for (const text of [secret, ...codesIn(done.text)]) {
    expect(stored).not.toContain(text);
    expect(shop.logged.join('\n')).not.toContain(text);
  }
});

test('a second factor is set in the session in which the password was typed, and within 10 minutes', async () => {
  const { client, code, confirm } = await setUp('olga');
  const other = await openBackOffice(shop, 'olga');
  const elsewhere = await other.post('/admin/account/factor/set-up', { code: code() });
  shop.clock.advance(10 * 60_000);
  const late = await confirm(code());
  const page = await client.get('/admin/account/factor/set-up');

  expect([elsewhere.status, late.status]).toEqual([422, 422]);
  expect(late.text).toContain('id="factor_password-error"');
  expect(page.headers['location']).toBe('/admin/account/factor');
  expect((await findAdminUserByName(queries, 'olga'))?.totpSecret).toBeNull();
});

test('the sealed secret of another user and a made-up one set no second factor', async () => {
  const { sealed, code } = await setUp('dina');
  await addUser(shop, 'otro', 'viewer');
  const client = await openBackOffice(shop, 'otro');

  for (const text of [sealed, 'JBSWY3DPEHPK3PXP', 'aes-256-gcm:a:b:c', ''])
    await client.post('/admin/account/factor/set-up', { sealed: text, code: code() });

  expect((await findAdminUserByName(queries, 'otro'))?.totpSecret).toBeNull();
});

test('a recovery code signs in once in place of the code, also with parallel requests, and new codes end the former ones', async () => {
  const { client, code, confirm } = await setUp('eva');
  const [first = '', second = '', third = ''] = codesIn((await confirm(code())).text);
  const asking = await enterPassword('eva');
  const clients = [asking, await enterPassword('eva'), await enterPassword('eva')];
  const form = await asking.get('/admin/sign-in/code?recovery=1');
  const uses = await Promise.all(
    clients.map((each) => enterCode(each, ` ${first.toUpperCase().replaceAll('-', ' ')} `)),
  );
  const next = await enterCode(await enterPassword('eva'), second);
  const renewed = await client.post('/admin/account/factor/codes', WITH_PASSWORD);
  const former = await enterCode(await enterPassword('eva'), third);

  expect(form.text).toContain('Código de recuperación');
  expect(uses.map(({ status }) => status).sort()).toEqual([303, 401, 401]);
  expect(next.headers['location']).toBe('/admin');
  expect(codesIn(renewed.text)).toHaveLength(10);
  expect(former.status).toBe(401);
  await addUser(shop, 'gerente', 'manager');
  const history = await (await openBackOffice(shop, 'gerente')).get('/admin/users/eva');
  for (const part of ['Entró con un código de recuperación', 'Generó códigos', 'Activó la verificación en dos pasos'])
    expect(history.text).toContain(part);
});

test('the second factor is removed with the password, or by a manager who resets a lost one', async () => {
  const users = ['ida', 'leo'];
  const clients: Customer[] = [];
  for (const name of users) {
    const { client, code, confirm } = await setUp(name);
    await confirm(code());
    clients.push(client);
  }
  const manager = await openBackOffice(shop);
  const refused = await clients[0]?.post('/admin/account/factor/remove', { factor_password: 'no' });
  const removed = await clients[0]?.post('/admin/account/factor/remove', WITH_PASSWORD);
  const kept = await manager.post('/admin/users/leo/reset', { reset_password: PASSWORD });
  const withFactor = await findAdminUserByName(queries, 'leo');
  const reset = await manager.post('/admin/users/leo/reset', { reset_password: PASSWORD, without_factor: 'yes' });
  const [password = ''] = codesIn(reset.text);
  const signedIn = await new Customer(shop).post('/admin/sign-in', { name: 'leo', password });

  expect([refused?.status, kept.status, reset.status]).toEqual([422, 200, 200]);
  expect(removed && resultOf(removed)).toBe('removed');
  expect(withFactor?.totpSecret).not.toBeNull();
  for (const name of users) expect((await findAdminUserByName(queries, name))?.totpSecret).toBeNull();
  const ids = await queries.selectFrom('adminUsers').select('id').where('name', 'in', users).execute();
  const codes = queries
    .selectFrom('adminRecoveryCodes')
    .where(
      'userId',
      'in',
      ids.map(({ id }) => id),
    )
    .selectAll();
  expect(await codes.execute()).toEqual([]);
  expect(signedIn.headers['location']).toBe('/admin');
});
