/** The shop as the host of the payments: orders of one cart, and their payments. */
import { expect, test } from '@jest/globals';
import { cancelOrder } from '../../src/shop/order-requests.js';
import { openTwoPages } from '../checkout/support.js';
import { until } from '../support/crowd.js';
import { Customer, contact } from '../support/customer.js';
import { allAttempts, allFulfillments, allOrders, cartContents, theOrder } from '../support/inspect.js';
import { violationsOf } from '../support/invariants.js';
import { payAndReturn } from '../support/purchase.js';
import { openDoor } from '../support/replica.js';
import { openSharedShop } from '../support/shared-shop.js';
import { openLimitedPage, setStock, stockOf, takesOf } from '../support/stock.js';

const shop = await openSharedShop();

const reviews = async () => (await allOrders(shop)).map(({ state, reviewReason }) => [state, reviewReason]);

test('six submits at two replicas at once, and one a minute later, create one order, one session and one URL', async () => {
  await using door = await openDoor((await shop.openReplica()).web);
  const customer = await Customer.withCart(shop);
  const cookie = String((await customer.get('/healthz')).request.cookies);
  const { agent } = new Customer(door);
  const form = { ...contact, ...(await customer.readDelivery()) };
  const submitToReplica = () =>
    agent.post('/checkout/hosted').set('Cookie', cookie).type('form').redirects(0).send(form);

  const answers = await Promise.all([1, 2, 3].flatMap(() => [customer.payHosted(), submitToReplica()]));

  shop.clock.advance(60_000);
  answers.push(await customer.payHosted());

  const [attempt] = await allAttempts(shop);
  const found = answers.map(({ status, headers }) => [status, headers['location']]);
  expect(found).toEqual(answers.map(() => [302, attempt?.redirectUrl]));
  expect(shop.control.sessions()).toHaveLength(1);
  expect(await allOrders(shop)).toHaveLength(1);
  shop.control.paySession(attempt?.gatewayId ?? '');
  await customer.get(`/checkout/return/${(await theOrder(shop)).token}`);
  expect(await reviews()).toEqual([['paid', null]]);
  expect(await violationsOf(shop)).toEqual([]);
});

test.each(['returnPath', 'orderPath'] as const)(
  'a payment on a replaced hosted page pays its order at the %s, and added products stay in the cart',
  async (address) => {
    const [first] = await openTwoPages(shop);

    await payAndReturn(shop, { ...first, returnPath: first[address] });

    expect((await reviews())[0]).toEqual(['paid', null]);
    expect(await cartContents(shop)).toEqual({ 'alebrije-jaguar': 1 });
    expect(await allFulfillments(shop)).toHaveLength(1);
    expect(await violationsOf(shop)).toEqual([]);
  },
);

test.each([
  [0, 1],
  [1, 0],
] as const)('when both pages are paid, page %i first, page %i is under review', async (first, second) => {
  const pages = await openTwoPages(shop);

  for (const page of [first, second]) await payAndReturn(shop, pages[page]);

  const found = await reviews();
  expect([found[first], found[second]]).toEqual([
    ['paid', null],
    ['review', 'second_payment'],
  ]);
  expect(await allFulfillments(shop)).toHaveLength(1);
  expect(shop.control.ledger()).toHaveLength(2);
  expect(await violationsOf(shop)).toEqual([]);
});

test.each([
  ['while its payment is looked up', 'cancelled', 'cancelled'],
  ['after its payment was stored', 'changed', 'paid'],
])('an order that another process cancels %s is paid once, with its pieces', async (_when, result, state) => {
  await setStock(shop, 2);
  const page = await openLimitedPage(shop);
  const { id: orderId, version } = await theOrder(shop);
  const { checkout } = await shop.openReplica();
  const cancellation = { reason: 'not_wanted', text: '' } as const;
  if (result === 'cancelled') shop.control.fault('read-session', { kind: 'hold' }, 1);

  const returned = payAndReturn(shop, page);
  if (result === 'cancelled') await until(() => shop.control.calls('read-session').length === 1);
  else await returned;
  const outcome = await cancelOrder(checkout, { orderId, version, by: 'ana', cancellation });
  const meanwhile = await reviews();
  shop.control.release();
  await returned;

  expect([outcome, meanwhile]).toEqual([result, [[state, null]]]);
  expect(await reviews()).toEqual([['paid', null]]);
  expect([await stockOf(shop), await takesOf(shop)]).toEqual([1, [1]]);
  expect(await violationsOf(shop)).toEqual([]);
});
