import { expect, test } from '@jest/globals';
import { addUser, openBackOffice, PASSWORD, resultOf } from '../../../../test/support/admin.js';
import { numbers, until } from '../../../../test/support/crowd.js';
import { Customer } from '../../../../test/support/customer.js';
import { dumpDatabase } from '../../../../test/support/inspect.js';
import { receiveMails } from '../../../../test/support/mailbox.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { findAdminUserByName, updateAdminUser } from '../../../tables/admin-users.js';

const shop = await openSharedShop({ env: { TRUST_PROXY: '1' } });
const { queries } = shop;
const PAGE = '/forgotten-password';
const NEW_PASSWORD = 'otra contraseña larga';

async function addUserWithAddress(name: string, email: string | null): Promise<void> {
  await addUser(shop, name, 'viewer');
  await updateAdminUser(queries, name, { email, updatedAt: 1 });
}

const ask = async (name: string, client = new Customer(shop)) =>
  (await client.send(PAGE, { name })).headers['location'];
const mailsTo = async (email: string) => (await receiveMails(shop)).filter(({ to }) => to.includes(email));
const signIn = async (name: string, password: string) =>
  (await new Customer(shop).send('/admin/sign-in', { name, password })).headers['location'];

test('a user who forgot the password chooses another one by a mailed link, and the present one works until then', async () => {
  await addUserWithAddress('ana', 'ana@example.com');
  const { text } = await new Customer(shop).get('/admin/sign-in');

  const answer = await ask('ANA');
  await until(async () => (await mailsTo('ana@example.com')).length === 1);
  const [mail] = await mailsTo('ana@example.com');
  const link = /\/set-password\/[\w-]{32}/.exec(mail?.text ?? '')?.[0] ?? '';
  const before = await signIn('ana', PASSWORD);
  await new Customer(shop).send(link, { new_password: NEW_PASSWORD, new_password_again: NEW_PASSWORD });

  expect(text).toContain(`href="${PAGE}"`);
  expect([answer, before]).toEqual([`${PAGE}?sent=1`, '/admin']);
  expect(await signIn('ana', NEW_PASSWORD)).toBe('/admin');
  // The page of the refused sign-in.
  expect(await signIn('ana', PASSWORD)).toBeUndefined();
  expect(await dumpDatabase(shop)).not.toContain(link.split('/').at(-1));
  expect(shop.logged.join('\n')).not.toContain(link.split('/').at(-1));
});

test('the answer is the same for a name that does not exist, has no address or is disabled, and none gets a link', async () => {
  await addUserWithAddress('sin-correo', null);
  await addUserWithAddress('fuera', 'fuera@example.com');
  await updateAdminUser(queries, 'fuera', { disabledAt: 1, updatedAt: 1 });
  const links = () => queries.selectFrom('adminLinks').selectAll().execute();
  const before = await links();

  const answers = await Promise.all(['nadie', 'sin-correo', 'fuera', "x' --", ''].map((name) => ask(name)));

  expect(new Set(answers)).toEqual(new Set([`${PAGE}?sent=1`]));
  expect(await links()).toEqual(before);
  expect((await new Customer(shop).get(`${PAGE}?sent=1`)).text).toContain('data-test="link-sent"');
});

test('a user gets three links an hour, a client asks ten times in 10 min, and other sites cannot ask', async () => {
  await addUserWithAddress('luz', 'luz@example.com');
  const { id = '' } = (await findAdminUserByName(queries, 'luz')) ?? {};
  const at = (host: number) => {
    const client = new Customer(shop);
    client.agent.set('X-Forwarded-For', `198.51.100.${host}`);
    return client;
  };
  await Promise.all(numbers(5).map((host) => ask('luz', at(host))));
  const pressed = at(99);
  await Promise.all(numbers(10).map(() => ask('nadie', pressed)));
  const links = await queries.selectFrom('adminLinks').where('userId', '=', id).selectAll().execute();

  expect(links).toHaveLength(3);
  expect((await pressed.send(PAGE, { name: 'nadie' })).status).toBe(429);
  const forged = new Customer(shop).agent.post(PAGE).set('Sec-Fetch-Site', 'cross-site').type('form');
  expect((await forged.send({ name: 'luz' })).status).toBe(403);
});

test('the only manager gets a card until an e-mail is set in the account, and then a link by mail', async () => {
  const manager = await openBackOffice(shop);
  const save = (fields: object) => manager.post('/admin/account/email', { email_password: PASSWORD, ...fields });
  const hasCard = async () => (await manager.get('/admin')).text.includes('Sin correo');
  const before = await hasCard();

  const invalid = await save({ email: 'dueña' });
  const unconfirmed = await save({ email: 'owner@example.com', email_password: 'no' });
  const stillThere = await hasCard();
  const saved = await save({ email: 'owner@example.com' });
  const account = await manager.get('/admin/account');
  await ask('admin');
  await until(async () => (await mailsTo('owner@example.com')).length === 1);

  const errorOf = (text: string) => /id="(\w+)-error"/.exec(text)?.[1];
  expect([before, stillThere, await hasCard()]).toEqual([true, true, false]);
  expect([invalid, unconfirmed].map(({ status, text }) => [status, errorOf(text)])).toEqual([
    [422, 'email'],
    [422, 'email_password'],
  ]);
  expect([invalid.text.includes('value="dueña"'), unconfirmed.text.includes('value="owner@example.com"')]).toEqual([
    ...[true, true],
  ]);
  expect(resultOf(saved)).toBe('email_changed');
  expect(account.text).toContain('value="owner@example.com"');
  expect((await manager.get('/admin/users/admin')).text).toContain('Cambió su correo');
});

test('a changed e-mail ends the links that the former one got, and a removed one gets none', async () => {
  await addUserWithAddress('mudanza', 'antes@example.com');
  const user = await openBackOffice(shop, 'mudanza');
  await ask('mudanza');
  await until(async () => (await mailsTo('antes@example.com')).length === 1);
  const [mail] = await mailsTo('antes@example.com');
  const link = /\/set-password\/[\w-]{32}/.exec(mail?.text ?? '')?.[0] ?? '';
  const open = await new Customer(shop).get(link);

  await user.post('/admin/account/email', { email_password: PASSWORD, email: 'despues@example.com' });
  const ended = await new Customer(shop).get(link);
  await user.post('/admin/account/email', { email_password: PASSWORD, email: '' });

  expect([open.status, ended.status]).toEqual([200, 404]);
  expect(await findAdminUserByName(queries, 'mudanza')).toMatchObject({ email: null });
});
