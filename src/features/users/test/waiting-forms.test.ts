import { expect, test } from '@jest/globals';
import { addUser, expectWaitingPage, PASSWORD } from '../../../../test/support/admin.js';
import { numbers } from '../../../../test/support/crowd.js';
import { Customer } from '../../../../test/support/customer.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';

const shop = await openFileShop({ env: { TRUST_PROXY: '1' } });

/** A client at an address of its own. */
function clientAt(address: string): Customer {
  const client = new Customer(shop);
  client.agent.set('X-Forwarded-For', address);
  return client;
}

const signIn = (client: Customer, name: string, password = PASSWORD) =>
  client.post('/admin/sign-in', { name, password });

/** Sends ten wrong passwords to a form of a signed-in user. */
async function openLocked(address: string, name: string): Promise<Customer> {
  await addUser(shop, name, 'viewer');
  const inside = clientAt(address);
  await signIn(inside, name);
  for (const _try of numbers(10)) await inside.post('/admin/account/password', { current_password: 'no' });
  return inside;
}

test('the page of a form of the back office that must wait belongs to the back office and names the seconds', async () => {
  const inside = await openLocked('203.0.113.78', 'calm');

  const page = await inside.post('/admin/account/password', { current_password: PASSWORD });

  expectWaitingPage(page, '/admin');
});

test('in a browser a form of the back office that must wait redirects to a page of the back office', async () => {
  const inside = await openLocked('203.0.113.63', 'inside');

  const posted = await inside.agent
    .post('/admin/account/password')
    .set('Sec-Fetch-Mode', 'navigate')
    .type('form')
    .redirects(0)
    .send({ current_password: PASSWORD });

  const location = String(posted.headers['location']);
  expect([posted.status, location]).toEqual([303, expect.stringMatching(/^\/admin\/problem\?code=/)]);
  const page = await inside.get(location);
  expectWaitingPage(page, '/admin');
  expect(page.text).toContain('/admin/sign-out');
});
