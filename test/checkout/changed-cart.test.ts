import { describe, expect, test } from '@jest/globals';
import { centavos } from '../../src/domain/money.js';
import { contact, readOrderPage, sessionIdOf } from '../support/customer.js';
import { allAttempts, allFulfilments, allOrders, cartContents } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

/** A customer who opened a page, put one thing more in the cart, and opened another. */
async function openTwoPages(shop: TestShop) {
  const first = await openHostedPage(shop);
  const { customer } = first;
  await customer.add({ product_id: 'alebrije-jaguar' });
  const redirect = await customer.payHosted();
  const orders = await allOrders(shop);
  const returnPaths = orders.map(({ token }) => `/checkout/return/${token}`);
  return {
    customer,
    redirect,
    sessions: [first.session, sessionIdOf(redirect.headers['location'])] as const,
    returnPaths: [returnPaths[0] ?? '', returnPaths[1] ?? ''] as const,
  };
}

const states = async (shop: TestShop) =>
  (await allOrders(shop)).map(({ state, reviewReason }) => [state, reviewReason]);

describe('a cart that changes while it is being paid', () => {
  test('becomes a new order with a page of its own, and the old address is never handed out again', async () => {
    await using shop = await openTestShop();

    const { customer, redirect, sessions } = await openTwoPages(shop);
    const again = await customer.payHosted();

    expect(sessions[0]).not.toBe(sessions[1]);
    expect(again.headers['location']).toBe(redirect.headers['location']);
    expect(await states(shop)).toEqual([
      ['cancelled', null],
      ['pending', null],
    ]);
    expect((await allAttempts(shop)).map(({ state }) => state)).toEqual(['superseded', 'open']);
  });

  test('the page of the first order shows its old lines only, and still shows no way to pay', async () => {
    await using shop = await openTestShop();
    const { customer, sessions } = await openTwoPages(shop);
    const [old] = await allOrders(shop);

    const page = await customer.get(`/orders/${old?.token}`);

    expect(readOrderPage(page.text)).toMatchObject({ state: 'cancelled', detail: true });
    expect(page.text).not.toContain(sessions[0]);
    expect(page.text).not.toContain('Alebrije');
  });

  test('money for the old page alone is never lost: its order is paid, and the new goods stay in the cart', async () => {
    await using shop = await openTestShop();
    const { customer, sessions, returnPaths } = await openTwoPages(shop);

    shop.clock.advance(5_000);
    shop.simulator.control.paySession(sessions[0]);
    await customer.get(`${returnPaths[0]}?session_id=${sessions[0]}`);

    expect((await states(shop))[0]).toEqual(['paid', null]);
    expect(await cartContents(shop)).toEqual({ 'alebrije-jaguar': 1 });
    expect(await allFulfilments(shop)).toHaveLength(1);
  });

  test('whoever holds the old order’s link sees the money that came late', async () => {
    await using shop = await openTestShop();
    const { customer, sessions } = await openTwoPages(shop);
    const [old] = await allOrders(shop);

    shop.clock.advance(5_000);
    shop.simulator.control.paySession(sessions[0]);
    const page = await customer.get(`/orders/${old?.token}`);

    expect(readOrderPage(page.text).state).toBe('paid');
  });

  test.each([
    [0, 1],
    [1, 0],
  ] as const)(
    'when both pages are paid, number %i first, the second payment is for a person',
    async (first, second) => {
      await using shop = await openTestShop();
      const { customer, sessions, returnPaths } = await openTwoPages(shop);

      shop.clock.advance(5_000);
      shop.simulator.control.paySession(sessions[first]);
      await customer.get(returnPaths[first]);
      shop.clock.advance(5_000);
      shop.simulator.control.paySession(sessions[second]);
      await customer.get(returnPaths[second]);

      const found = await states(shop);
      expect(found[first]).toEqual(['paid', null]);
      expect(found[second]).toEqual(['review', 'second_payment']);
      expect(await allFulfilments(shop)).toHaveLength(1);
      expect(shop.simulator.control.ledger()).toHaveLength(2);
    },
  );

  test('money for the first and the third of three orders is noticed as a second payment', async () => {
    await using shop = await openTestShop();
    const { customer, sessions, returnPaths } = await openTwoPages(shop);
    await customer.add({ product_id: 'jarra-barro-negro' });
    const third = sessionIdOf((await customer.payHosted()).headers['location']);
    const [, , last] = await allOrders(shop);

    shop.simulator.control.paySession(third);
    await customer.get(`/checkout/return/${last?.token}`);
    shop.clock.advance(5_000);
    shop.simulator.control.paySession(sessions[0]);
    await customer.get(returnPaths[0]);

    expect((await states(shop)).map(([state]) => state)).toEqual(['review', 'cancelled', 'paid']);
  });

  test('things added while paying stay in the cart, and more of the same stays too', async () => {
    await using shop = await openTestShop();
    const { customer, session, returnPath } = await openHostedPage(shop, '2');
    await customer.add({ product_id: 'taza-talavera', quantity: '3' });
    await customer.add({ product_id: 'jarra-barro-negro' });

    shop.simulator.control.paySession(session);
    await customer.get(returnPath);

    expect(await cartContents(shop)).toEqual({ 'taza-talavera': 3, 'jarra-barro-negro': 1 });
  });

  test('things removed while paying are not missed', async () => {
    await using shop = await openTestShop();
    const { customer, session, returnPath } = await openHostedPage(shop, '2');
    await customer.post('/cart/items/taza-talavera', { quantity: '1' });

    shop.simulator.control.paySession(session);
    await customer.get(returnPath);

    expect(await cartContents(shop)).toEqual({});
    expect((await states(shop))[0]).toEqual(['paid', null]);
  });

  test('a purchase after a purchase is simply another order', async () => {
    await using shop = await openTestShop();
    const { customer, session, returnPath } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);
    await customer.get(returnPath);

    await customer.add({ product_id: 'jarra-barro-negro' });
    const next = sessionIdOf((await customer.payHosted()).headers['location']);
    shop.simulator.control.paySession(next);
    const [, second] = await allOrders(shop);
    await customer.get(`/checkout/return/${second?.token}`);

    expect(await states(shop)).toEqual([
      ['paid', null],
      ['paid', null],
    ]);
    expect(await allFulfilments(shop)).toHaveLength(2);
  });

  test('an earlier order of the cart is not replaced while nobody knows whether it was paid', async () => {
    await using shop = await openTestShop();
    const { customer } = await openHostedPage(shop);
    await customer.add({ product_id: 'jarra-barro-negro' });
    shop.simulator.control.fault('read-session', { kind: 'status', status: 500 });

    const answer = await customer.payHosted();

    expect(answer.status).toBe(503);
    expect(await states(shop)).toEqual([['pending', null]]);
    expect(await cartContents(shop)).toEqual({ 'taza-talavera': 1, 'jarra-barro-negro': 1 });
  });

  test('a new price alone makes no second page either before the first one is known to be unpaid', async () => {
    await using shop = await openTestShop();
    const { customer, session } = await openHostedPage(shop);
    const [order] = await allOrders(shop);
    await shop.context.checkout.db.queries
      .updateTable('cartLines')
      .set({ seenPrice: centavos(1) })
      .execute();
    shop.simulator.control.paySession(session);
    shop.clock.advance(5_000);

    await customer.payHosted({ ...contact, seen_total: String(order?.total) });

    expect(await states(shop)).toEqual([['paid', null]]);
    expect(shop.simulator.control.sessions()).toHaveLength(1);
  });
});
