import { afterAll, expect, test } from '@jest/globals';
import { PASSWORD } from '../support/admin.js';
import { inParallel, numbers } from '../support/crowd.js';
import { Customer, readOrderPage, sessionIdOf } from '../support/customer.js';
import { exchange } from '../support/http.js';
import { orderOfSession } from '../support/inspect.js';
import { openDoor } from '../support/replica.js';
import { openTestShop } from '../support/test-shop.js';

/** Limit of all customers together in this test, below what the flood sends. In production it is 6,000 a minute. */
const GATEWAY_LIMIT = 100;
const FLOOD_WIDTH = 16;

const shop = await openTestShop({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '1', ADMIN_PASSWORD: PASSWORD } });
afterAll(async () => shop[Symbol.asyncDispose]());

/** Posts checkout forms and, in every tenth request, a sign-in from one address. Returns the statuses. */
function flood(url: string, count: number): Promise<readonly number[]> {
  const headers = { 'X-Forwarded-For': '203.0.113.66', 'Content-Type': 'application/x-www-form-urlencoded' };
  return inParallel(numbers(count), FLOOD_WIDTH, async (at) => {
    const [path, body] =
      at % 10 === 0
        ? ['/admin/sign-in', `name=admin&password=guess-${at}`]
        : ['/checkout/hosted', 'first_name=A&last_name=B&email=a%40example.com'];
    return (await exchange(url, path, { method: 'POST', headers, body })).status;
  });
}

/** Buys one product. Returns the state that the order page shows. */
async function buy(customer: Customer): Promise<string> {
  await customer.add();
  const redirect = await customer.payHosted();
  if (redirect.status !== 302) return `checkout answered ${redirect.status}`;
  const session = sessionIdOf(redirect.headers['location']);
  shop.simulator.control.paySession(session);
  const { token } = await orderOfSession(shop, session);
  await customer.get(`/checkout/return/${token}`);
  return readOrderPage((await customer.get(`/orders/${token}`)).text).state;
}

test('while one address floods checkout and sign-in, twenty customers from other addresses buy and the merchant signs in', async () => {
  const { web } = shop.context;
  const gatewayLimit = web.checkout.db.limiter({ name: 'all', most: GATEWAY_LIMIT, seconds: 60 });
  await using door = await openDoor({ ...web, gatewayLimit });
  const customerAt = (address: string) => {
    const customer = new Customer(door);
    customer.agent.set('X-Forwarded-For', address);
    return customer;
  };

  const before = await flood(door.url, 250);
  const [during, states, signIn] = await Promise.all([
    flood(door.url, 250),
    Promise.all(numbers(20).map((at) => buy(customerAt(`198.51.100.${at + 1}`)))),
    customerAt('192.0.2.1').post('/admin/sign-in', { name: 'admin', password: PASSWORD }),
  ]);

  const count = (status: number) => [...before, ...during].filter((one) => one === status).length;
  expect(states).toEqual(states.map(() => 'paid'));
  expect(signIn.headers['location']).toBe('/admin');
  expect([401, 409, 429].map(count)).toEqual([10, 120, 370]);
});
