import { expect, test } from '@jest/globals';
import { inParallel, numbers } from '../../../../test/support/crowd.js';
import { Customer } from '../../../../test/support/customer.js';
import { placePaidOrder } from '../../../../test/support/purchase.js';
import { openWithLimit } from '../../../../test/support/replica.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { invoiceForm } from './invoice-form.js';

const shop = await openFileShop({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } });
const UNKNOWN = `/orders/${'x'.repeat(32)}`;

/** A customer behind the proxy, without a cart or a session. */
function customerAt(address: string, at: { readonly url: string } = shop): Customer {
  const customer = new Customer(at);
  customer.agent.set('X-Forwarded-For', address);
  return customer;
}

test('the invoice form is refused from one address after 30 requests, with the wait', async () => {
  const customer = customerAt('203.0.113.66');

  const answers = await Promise.all(numbers(31).map(() => customer.post(`${UNKNOWN}/invoice`, {})));

  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(1);
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
});

test('invoice forms stay open while three addresses send forms without an order and forms for one order', async () => {
  await using door = await openWithLimit(shop, { name: 'invoice_all', max: 40 });
  const own = await placePaidOrder(shop);
  const wanted = await placePaidOrder(shop);
  const networks = numbers(3).map((network) => customerAt(`192.0.2.${200 + network}`, door));
  for (const path of [UNKNOWN, own.orderPath, own.orderPath])
    for (let time = 0; time < 10; time += 1)
      await inParallel(networks, 3, (client) => client.post(`${path}/invoice`, invoiceForm));

  const ofOrder = await customerAt('203.0.113.91', door).post(`${own.orderPath}/invoice`, invoiceForm);
  const answer = await customerAt('203.0.113.91', door).post(`${wanted.orderPath}/invoice`, invoiceForm);
  const ofCustomer = await own.customer.post(`${own.orderPath}/invoice`, invoiceForm);

  expect([ofOrder.status, answer.status, ofCustomer.status]).toEqual([429, 303, 303]);
});

test('an order gets at most five links by mail in a day', async () => {
  const { customer, orderPath } = await placePaidOrder(shop);
  await customer.post(`${orderPath}/invoice`, invoiceForm);
  for (const _ of numbers(7)) {
    shop.clock.advance(11 * 60_000);
    await customer.post(`${orderPath}/invoice/link`, {});
  }

  const jobs = await shop.queries.selectFrom('outbox').select('key').where('job', '=', 'invoice_link').execute();

  expect(jobs).toHaveLength(5);
});
