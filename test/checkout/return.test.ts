import { expect, test } from '@jest/globals';
import supertest from 'supertest';
import { Customer, readOrderPage } from '../support/customer.js';
import { allFulfillments, allOrders, theOrder } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';
import { DAY, MINUTE, orderStates, sessionLookups } from './support.js';

test('a return before payment leaves the order pending, whatever its parameters and headers claim', async () => {
  await using shop = await openTestShop();
  const { customer, session, returnPath, orderPath } = await openHostedPage(shop);
  const claims = `session_id=${session}&status=success&paid=1&transaction_status=Success&amount=28900&test=1&debug=1&bypass=1&mock=1`;

  const back = await customer.agent.get(`${returnPath}?${claims}`).set('X-Test-Mode', 'paid').redirects(0);
  const page = await customer.get(orderPath);

  expect([back.status, back.headers['location']]).toEqual([303, orderPath]);
  expect(readOrderPage(page.text).state).toBe('pending');
  expect(await allFulfillments(shop)).toEqual([]);
});

test('a return with another order’s paid session is logged and pays only the order of that session', async () => {
  await using shop = await openTestShop();
  const paid = await openHostedPage(shop);
  shop.simulator.control.paySession(paid.session);
  const attacker = await Customer.withCart(shop, { product_id: 'rebozo-santa-maria' });
  await attacker.payHosted();
  const [, expensive] = await allOrders(shop);

  const forged = await attacker.get(`/checkout/return/${expensive?.token}?session_id=${paid.session}`);
  const plain = await attacker.get(`/checkout/return/${expensive?.token}`);
  await attacker.get(`${paid.returnPath}?session_id=${paid.session}`);

  expect([forged.status, forged.headers['location']]).toEqual([303, `/orders/${expensive?.token}`]);
  expect(plain.status).toBe(303);
  expect(await orderStates(shop)).toEqual(['paid', 'pending']);
  expect(shop.logged.join('')).toContain('return.session_mismatched');
});

test('a return replayed 100 times settles the order once and asks the gateway at most twice', async () => {
  await using shop = await openTestShop();
  const { session, returnPath, orderPath } = await openHostedPage(shop);
  shop.simulator.control.paySession(session);
  const replay = () => supertest(shop.url).get(`${returnPath}?session_id=${session}`).redirects(0);

  const answers = await Promise.all(Array.from({ length: 100 }, replay));
  shop.clock.advance(MINUTE);
  await replay();

  expect(new Set(answers.map(({ status, headers }) => `${status} ${headers['location']}`))).toEqual(
    new Set([`303 ${orderPath}`]),
  );
  expect(await allFulfillments(shop)).toHaveLength(1);
  expect(sessionLookups(shop).length).toBeLessThanOrEqual(2);
});

test('a return by POST from another site without cookies settles the order and redirects to it', async () => {
  await using shop = await openTestShop();
  const { session, returnPath, orderPath } = await openHostedPage(shop);
  shop.simulator.control.paySession(session);

  const back = await supertest(shop.url)
    .post(`${returnPath}?session_id=${session}`)
    .set({ 'Sec-Fetch-Site': 'cross-site', Origin: 'null', 'Content-Type': 'application/json' })
    .redirects(0)
    .send('{"PaRes":"x"}');

  expect([back.status, back.headers['location']]).toEqual([303, orderPath]);
  expect(back.headers['set-cookie']).toBeUndefined();
  expect((await theOrder(shop)).state).toBe('paid');
});

test('a return after the session has expired settles the order and shows no personal data', async () => {
  await using shop = await openTestShop();
  const { customer, session, returnPath, orderPath } = await openHostedPage(shop);
  shop.simulator.control.paySession(session);
  shop.clock.advance(40 * DAY);

  await customer.get(returnPath);
  const page = await customer.get(orderPath);

  expect(readOrderPage(page.text)).toMatchObject({ state: 'paid', detail: false });
});
