/** The card form of payment links. */
import { expect, test } from '@jest/globals';
import { MINUTE } from '../../../../../test/checkout/support.js';
import { cartAt, customerAt } from '../../../../../test/support/addresses.js';
import { inParallel, numbers } from '../../../../../test/support/crowd.js';
import { Customer, payer } from '../../../../../test/support/customer.js';
import { allAttempts, theOrder } from '../../../../../test/support/inspect.js';
import { CARDS, payByCard } from '../../../../../test/support/purchase.js';
import { openWithLimit } from '../../../../../test/support/replica.js';
import { openSharedShop } from '../../../../../test/support/shared-shop.js';

const shop = await openSharedShop({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } });

test('the tokenizer opens only for an order that can be paid', async () => {
  await payByCard(shop, await Customer.withCart(shop), CARDS.declined);
  const path = `/orders/${(await theOrder(shop)).token}/pay`;
  const person = new Customer(shop);
  const open = await person.post(`${path}/card/access-token`, {});
  await person.post(`${path}/card`, { ...payer, ...shop.control.tokenizeCard(CARDS.paid) });
  const paid = await person.post(`${path}/card/access-token`, {});

  expect([open.status, typeof open.body.access_token]).toEqual([200, 'string']);
  expect([paid.status, paid.body.location]).toEqual([409, path]);
});

test('empty posts, valid forms and access tokens by other persons with the order link do not keep its customer from paying or cancelling', async () => {
  await using door = await openWithLimit(shop, { name: 'order', max: 20 });
  const customer = await cartAt('203.0.113.9', door);
  await payByCard(shop, customer, CARDS.declined);
  const { token } = await theOrder(shop);
  const path = `/orders/${token}/pay`;
  shop.clock.advance(11 * MINUTE);
  await inParallel(numbers(21), 7, async (index) => {
    const person = customerAt(`2001:db8:${index}::1`, door);
    await person.send(`${path}/hosted`, {});
    await person.send(`/orders/${token}/cancel`, { version: '1' });
    await person.send(`${path}/card/access-token`, {});
    await person.send(`${path}/card`, { ...payer, ...shop.control.tokenizeCard(CARDS.declined) });
  });

  const foreign = await customerAt('203.0.113.10', door).post(`${path}/hosted`, payer);
  const form = await customer.get(`${path}/card`);
  const access = await customer.post(`${path}/card/access-token`, {});
  const paid = await customer.post(`${path}/card`, shop.control.tokenizeCard(CARDS.declined));
  const { version } = await theOrder(shop);
  await customer.post(`/orders/${token}/cancel`, { version });

  expect(foreign.status).toBe(429);
  expect([form.text.includes('card.js'), access.status, paid.headers['location']]).toEqual([
    true,
    200,
    `/orders/${token}`,
  ]);
  expect((await allAttempts(shop)).at(-1)).toMatchObject({ flow: 'card', state: 'declined' });
  expect((await theOrder(shop)).state).toBe('cancelled');
});
