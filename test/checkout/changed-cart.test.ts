import { expect, test } from 'vitest';
import { centavos } from '../../src/domain/money.js';
import { contact, readOrderPage, sessionIdOf } from '../support/customer.js';
import { allFulfillments, allOrders, cartContents } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';
import { attemptStates, orderStates } from './support.js';

const shop = await openSharedShop();

/** Opens a hosted page, adds a product to the cart and opens the hosted page of the new order. */
async function openTwoPages() {
  const first = await openHostedPage(shop);
  const { customer } = first;
  await customer.add({ product_id: 'alebrije-jaguar' });
  const redirect = await customer.payHosted();
  const orders = await allOrders(shop);
  const returnPaths = orders.map(({ token }) => `/checkout/return/${token}`);
  return {
    customer,
    redirect,
    orderPath: first.orderPath,
    sessions: [first.session, sessionIdOf(redirect.headers['location'])] as const,
    returnPaths: [returnPaths[0] ?? '', returnPaths[1] ?? ''] as const,
  };
}

const reviews = async () => (await allOrders(shop)).map(({ state, reviewReason }) => [state, reviewReason]);

test('a cart that changes during payment becomes a new order, and the first hosted page is not offered again', async () => {
  const { customer, redirect, sessions, orderPath } = await openTwoPages();
  const again = await customer.payHosted();
  const page = await customer.get(orderPath);

  expect(sessions[0]).not.toBe(sessions[1]);
  expect(again.headers['location']).toBe(redirect.headers['location']);
  expect(await orderStates(shop)).toEqual(['cancelled', 'pending']);
  expect(await attemptStates(shop)).toEqual(['superseded', 'open']);
  expect(readOrderPage(page.text)).toMatchObject({ state: 'cancelled', detail: true });
  expect(page.text).not.toContain(sessions[0]);
  expect(page.text).not.toContain('Alebrije');
});

test.each(['returnPath', 'orderPath'] as const)(
  'a payment on a replaced hosted page pays its order at the %s, and added products stay in the cart',
  async (address) => {
    const { customer, sessions, returnPaths, orderPath } = await openTwoPages();

    shop.clock.advance(5_000);
    shop.simulator.control.paySession(sessions[0]);
    await customer.get(address === 'orderPath' ? orderPath : returnPaths[0]);

    expect((await reviews())[0]).toEqual(['paid', null]);
    expect(await cartContents(shop)).toEqual({ 'alebrije-jaguar': 1 });
    expect(await allFulfillments(shop)).toHaveLength(1);
  },
);

test.each([
  [0, 1],
  [1, 0],
] as const)(
  'when the pages of both orders are paid, page %i first, page %i is under review',
  async (...row) => {
    const [first, second] = row;
    const { customer, sessions, returnPaths } = await openTwoPages();

    for (const page of row) {
      shop.clock.advance(5_000);
      shop.simulator.control.paySession(sessions[page]);
      await customer.get(returnPaths[page]);
    }

    const found = await reviews();
    expect(found[first]).toEqual(['paid', null]);
    expect(found[second]).toEqual(['review', 'second_payment']);
    expect(await allFulfillments(shop)).toHaveLength(1);
    expect(shop.simulator.control.ledger()).toHaveLength(2);
  },
);

test('payments of the first and the third of three orders leave the first under review', async () => {
  const { customer, sessions, returnPaths } = await openTwoPages();
  await customer.add({ product_id: 'jarra-barro-negro' });
  const third = sessionIdOf((await customer.payHosted()).headers['location']);
  const [, , last] = await allOrders(shop);

  shop.simulator.control.paySession(third);
  await customer.get(`/checkout/return/${last?.token}`);
  shop.clock.advance(5_000);
  shop.simulator.control.paySession(sessions[0]);
  await customer.get(returnPaths[0]);

  expect(await orderStates(shop)).toEqual(['review', 'cancelled', 'paid']);
});

test('products and quantities added during payment stay in the cart', async () => {
  const { customer, session, returnPath } = await openHostedPage(shop, '2');
  await customer.add({ product_id: 'taza-talavera', quantity: '3' });
  await customer.add({ product_id: 'jarra-barro-negro' });

  shop.simulator.control.paySession(session);
  await customer.get(returnPath);

  expect(await cartContents(shop)).toEqual({ 'taza-talavera': 3, 'jarra-barro-negro': 1 });
});

test('an earlier order of the cart is not replaced while its lookup fails', async () => {
  const { customer } = await openHostedPage(shop);
  await customer.add({ product_id: 'jarra-barro-negro' });
  shop.simulator.control.fault('read-session', { kind: 'status', status: 500 });

  const answer = await customer.payHosted();

  expect(answer.status).toBe(503);
  expect(await reviews()).toEqual([['pending', null]]);
  expect(await cartContents(shop)).toEqual({ 'taza-talavera': 1, 'jarra-barro-negro': 1 });
});

test('a changed price opens no second page when the lookup finds the first one paid', async () => {
  const { customer, session } = await openHostedPage(shop);
  const [order] = await allOrders(shop);
  const { queries } = shop.context.checkout.db;
  await queries
    .updateTable('cartLines')
    .set({ seenPrice: centavos(1) })
    .execute();
  shop.simulator.control.paySession(session);
  shop.clock.advance(5_000);

  await customer.payHosted({ ...contact, seen_total: String(order?.total) });

  expect(await reviews()).toEqual([['paid', null]]);
  expect(shop.simulator.control.sessions()).toHaveLength(1);
});
