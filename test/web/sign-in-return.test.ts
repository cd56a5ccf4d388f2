import { expect, test } from '@jest/globals';
import { PASSWORD } from '../support/admin.js';
import { Customer } from '../support/customer.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop();
const user = { name: 'admin', password: PASSWORD };
const locationOf = ({ headers }: { readonly headers: Record<string, string> }) => headers['location'];
const signIn = async (client: Customer) => locationOf(await client.send('/admin/sign-in', user));

test('the sign-in returns once to the page that needed it, also after a wrong password', async () => {
  const merchant = new Customer(shop);
  const answer = await merchant.get('/admin/orders?state=paid');
  const { text } = await merchant.get(`${locationOf(answer)}`);
  await merchant.send('/admin/sign-in', { ...user, password: 'wrong' });

  expect(locationOf(answer)).toBe('/admin/sign-in?return=1');
  expect(text).toContain('data-test="admin-returns"');
  expect(await signIn(merchant)).toBe('/admin/orders?state=paid');
  expect(await signIn(merchant)).toBe('/admin');
});

test('a form whose session has ended returns to its page, and the plain sign-in says nothing about a page', async () => {
  const merchant = new Customer(shop);
  const post = merchant.agent.post('/admin/orders/TG-1/check').redirects(0);
  const answer = await post.set('Referer', `${shop.url}/admin/orders/TG-1`).type('form').send({});

  expect(locationOf(answer)).toBe('/admin/sign-in?return=1');
  expect(await signIn(merchant)).toBe('/admin/orders/TG-1');
  expect(locationOf(await new Customer(shop).get('/admin'))).toBe('/admin/sign-in');
  expect((await new Customer(shop).get('/admin/sign-in')).text).not.toContain('admin-returns');
});

test('the sign-in of the overview returns to no page that needed it before', async () => {
  const merchant = new Customer(shop);
  await merchant.get('/admin/orders?state=paid');
  await merchant.get('/admin');

  expect(await signIn(merchant)).toBe('/admin');
});

test.each([
  'https://evil.example/admin',
  '//evil.example/admin',
  '/cart',
  '/administrator',
  '/admin/sign-in',
  '/admin/\\x',
])('the sign-in never returns to %s, which a changed cookie names', async (path) => {
  const value = Buffer.from(path).toString('base64url');
  const post = new Customer(shop).agent.post('/admin/sign-in').redirects(0).type('form');

  expect(locationOf(await post.set('Cookie', `tianguis-admin-return=${value}`).send(user))).toBe('/admin');
});
