import { describe, expect, test } from '@jest/globals';
import { Customer, contact, readOrderPage } from '../support/customer.js';
import { allAttempts, allOrders, theOrder, until } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { openDoor } from '../support/replica.js';
import { openTestShop } from '../support/test-shop.js';

/** What this browser would send, for a request that goes to another address. */
async function cookieOf(customer: Customer): Promise<string> {
  const { request } = await customer.get('/healthz');
  return String(request.cookies);
}

describe('one cart, one order', () => {
  test('five submits at once lead to one session and one address', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);

    const answers = await Promise.all(Array.from({ length: 5 }, () => customer.payHosted()));

    const { redirectUrl } = (await allAttempts(shop))[0] ?? {};
    expect(answers.map(({ status }) => status)).toEqual([302, 302, 302, 302, 302]);
    expect(new Set(answers.map(({ headers }) => headers['location']))).toEqual(new Set([redirectUrl]));
    expect(shop.simulator.control.sessions()).toHaveLength(1);
    expect(await allOrders(shop)).toHaveLength(1);
  });

  test('submits at two replicas at once lead to one session and one address', async () => {
    await using shop = await openTestShop();
    const replica = await shop.openReplica();
    await using door = await openDoor(replica.web);
    const customer = await Customer.withCart(shop);
    const cookie = await cookieOf(customer);
    const elsewhere = new Customer(door);

    const answers = await Promise.all([
      ...Array.from({ length: 3 }, () => customer.payHosted()),
      ...Array.from({ length: 3 }, () =>
        elsewhere.agent
          .post('/checkout/hosted')
          .set('Cookie', cookie)
          .type('form')
          .redirects(0)
          .send(contact),
      ),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([302, 302, 302, 302, 302, 302]);
    expect(new Set(answers.map(({ headers }) => headers['location'])).size).toBe(1);
    expect(shop.simulator.control.sessions()).toHaveLength(1);
    expect(await allOrders(shop)).toHaveLength(1);
  });

  test('a second click while the gateway is slow waits for the first one’s page', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    shop.simulator.control.fault('create-session', { kind: 'review' }, 1);

    const first = customer.payHosted();
    await until(() => shop.simulator.control.calls('create-session').length === 1);
    const stored = await theOrder(shop);
    const again = customer.payHosted();
    await until(() => shop.received.filter((line) => line === 'POST /checkout/hosted').length === 2);
    shop.simulator.control.release();
    const [second, done] = await Promise.all([again, first]);

    expect(stored.state).toBe('created');
    expect(second.headers['location']).toBe(done.headers['location']);
    expect(shop.simulator.control.calls('create-session')).toHaveLength(1);
  });

  test('the same form sent again later, from another tab, leads to the open page', async () => {
    await using shop = await openTestShop();
    const { customer, session } = await openHostedPage(shop);
    shop.clock.advance(60_000);

    const again = await customer.payHosted();

    expect(again.headers['location']).toContain(session);
    expect(shop.simulator.control.sessions()).toHaveLength(1);
  });

  test('after paying, Back and the button lead to the order and never to a second page', async () => {
    await using shop = await openTestShop();
    const { customer, session, returnPath, orderPath } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);
    await customer.get(returnPath);

    const hosted = await customer.payHosted();
    const card = await payByCard(shop, customer);

    expect([hosted.status, hosted.headers['location']]).toEqual([303, orderPath]);
    expect([card.status, card.headers['location']]).toEqual([303, orderPath]);
    expect(shop.simulator.control.sessions()).toHaveLength(1);
    expect(shop.simulator.control.calls('process')).toHaveLength(0);
  });

  test('a page that was paid but never returned from is found when the form is sent again', async () => {
    await using shop = await openTestShop();
    const { customer, session, orderPath } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);
    shop.clock.advance(10_000);

    const again = await payByCard(shop, customer);
    const page = await customer.get(orderPath);

    expect([again.status, again.headers['location']]).toEqual([303, orderPath]);
    expect(readOrderPage(page.text).state).toBe('paid');
    expect(shop.simulator.control.calls('process')).toHaveLength(0);
    expect(shop.simulator.control.ledger()).toHaveLength(1);
  });

  test('an open page is never followed by a card charge while nobody knows whether it was paid', async () => {
    await using shop = await openTestShop();
    const { customer, session, orderPath } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);
    shop.simulator.control.fault('read-session', { kind: 'status', status: 500 });
    shop.clock.advance(10_000);
    await customer.get(orderPath);

    const card = await payByCard(shop, customer);

    expect(card.status).toBe(503);
    expect(shop.simulator.control.calls('process')).toHaveLength(0);
    expect(shop.simulator.control.ledger()).toHaveLength(1);
  });

  test('an expired page is never handed out again: the same order gets a new one', async () => {
    await using shop = await openTestShop();
    const { customer, session } = await openHostedPage(shop);
    shop.clock.advance(61 * 60_000);
    shop.simulator.control.advanceClock(61 * 60_000);

    const again = await customer.payHosted();

    expect(again.status).toBe(302);
    expect(again.headers['location']).not.toContain(session);
    expect(await allOrders(shop)).toHaveLength(1);
    expect((await allAttempts(shop)).map(({ state }) => state)).toEqual(['expired', 'open']);
  });

  test('a page that ran out while the gateway is silent is not handed out either', async () => {
    await using shop = await openTestShop();
    const { customer, session } = await openHostedPage(shop);
    shop.clock.advance(61 * 60_000);
    shop.simulator.control.fault('read-session', { kind: 'status', status: 500 });

    const again = await customer.payHosted();

    expect(again.headers['location'] ?? '').not.toContain(session);
    expect(again.status).toBe(503);
  });

  test('a cancelled page is followed by a new one for the same order', async () => {
    await using shop = await openTestShop();
    const { customer, session, returnPath, orderPath } = await openHostedPage(shop);
    shop.simulator.control.cancelSession(session);
    await customer.get(returnPath);
    const page = await customer.get(orderPath);

    const again = await customer.payHosted();

    expect(readOrderPage(page.text).state).toBe('cancelled');
    expect(again.headers['location']).not.toContain(session);
    expect((await theOrder(shop)).state).toBe('pending');
  });

  test('a card declined on the page leaves it open, and another card pays it', async () => {
    await using shop = await openTestShop();
    const { customer, session, returnPath, orderPath } = await openHostedPage(shop);
    shop.simulator.control.paySession(session, CARDS.declined);
    await customer.get(returnPath);
    const declined = await customer.get(orderPath);

    shop.simulator.control.paySession(session);
    shop.clock.advance(5_000);
    const paid = await customer.get(orderPath);

    expect(readOrderPage(declined.text).state).toBe('pending');
    expect(declined.text).toContain(session);
    expect(readOrderPage(paid.text).state).toBe('paid');
  });
});
