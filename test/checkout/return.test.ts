import { describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { Customer, readOrderPage, sessionIdOf } from '../support/customer.js';
import { allFulfilments, allOrders, theOrder } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

describe('the return', () => {
  test('before paying leaves the order waiting, whatever the address claims', async () => {
    await using shop = await openTestShop();
    const { customer, session, returnPath, orderPath } = await openHostedPage(shop);
    const claims = `session_id=${session}&status=success&paid=1&transaction_status=Success&amount=28900&test=1&debug=1&bypass=1&mock=1`;

    const back = await customer.agent.get(`${returnPath}?${claims}`).set('X-Test-Mode', 'paid').redirects(0);
    const page = await customer.get(orderPath);

    expect([back.status, back.headers['location']]).toEqual([303, orderPath]);
    expect(readOrderPage(page.text).state).toBe('pending');
    expect(await allFulfilments(shop)).toEqual([]);
  });

  test('with another order’s paid session is logged and pays nothing, at either order’s address', async () => {
    await using shop = await openTestShop();
    const paid = await openHostedPage(shop);
    shop.simulator.control.paySession(paid.session);
    const thief = await Customer.withCart(shop, { product_id: 'rebozo-santa-maria' });
    await thief.payHosted();
    const [, dear] = await allOrders(shop);

    const forged = await thief.get(`/checkout/return/${dear?.token}?session_id=${paid.session}`);
    const plain = await thief.get(`/checkout/return/${dear?.token}`);
    await thief.get(`${paid.returnPath}?session_id=${paid.session}`);

    expect([forged.status, forged.headers['location']]).toEqual([303, `/orders/${dear?.token}`]);
    expect(plain.status).toBe(303);
    expect((await allOrders(shop)).map(({ state }) => state)).toEqual(['paid', 'pending']);
    expect(shop.logged.join('')).toContain('return.session_mismatched');
  });

  test('replayed two hundred times settles once and asks the gateway once', async () => {
    await using shop = await openTestShop();
    const { session, returnPath, orderPath } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);

    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        supertest(shop.url).get(`${returnPath}?session_id=${session}`).redirects(0),
      ),
    );
    shop.clock.advance(60_000);
    await supertest(shop.url).get(returnPath);

    expect(new Set(answers.map(({ status, headers }) => `${status} ${headers['location']}`))).toEqual(
      new Set([`303 ${orderPath}`]),
    );
    expect(await allFulfilments(shop)).toHaveLength(1);
    expect(shop.simulator.control.calls('read-session').length).toBeLessThanOrEqual(2);
  });

  test('by POST, from another site and without any cookie, settles and leads to the order', async () => {
    await using shop = await openTestShop();
    const { session, returnPath, orderPath } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);

    const back = await supertest(shop.url)
      .post(`${returnPath}?session_id=${session}`)
      .set({ 'Sec-Fetch-Site': 'cross-site', Origin: 'null', 'Content-Type': 'application/json' })
      .redirects(0)
      .send('{"PaRes":"x"');

    expect([back.status, back.headers['location']]).toEqual([303, orderPath]);
    expect(back.headers['set-cookie']).toBeUndefined();
    expect((await theOrder(shop)).state).toBe('paid');
  });

  test('in another browser shows the state and the number, and no personal data', async () => {
    await using shop = await openTestShop();
    const { session, returnPath } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);
    const elsewhere = new Customer(shop);

    const back = await elsewhere.get(returnPath);
    const page = await elsewhere.get(back.headers['location'] ?? '');

    expect(readOrderPage(page.text)).toEqual({
      state: 'paid',
      number: (await theOrder(shop)).number,
      detail: false,
    });
    expect(page.text).not.toMatch(/Eva|Ruiz|example\.com|Taza/);
  });

  test('is taken after days, when the session of the browser is long gone', async () => {
    await using shop = await openTestShop();
    const { customer, session, returnPath, orderPath } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);
    shop.clock.advance(40 * 24 * 60 * 60_000);

    await customer.get(returnPath);
    const page = await customer.get(orderPath);

    expect(readOrderPage(page.text)).toMatchObject({ state: 'paid', detail: false });
  });

  test('of an attempt made at another gateway is never settled by this one', async () => {
    await using shop = await openTestShop();
    const { customer, session, returnPath, orderPath } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);
    await shop.context.checkout.db.queries
      .updateTable('attempts')
      .set({ environment: 'https://pay.example https://checkout.example' })
      .execute();

    await customer.get(returnPath);
    const page = await customer.get(orderPath);

    expect(readOrderPage(page.text).state).toBe('pending');
    expect(shop.simulator.control.calls('read-session')).toEqual([]);
  });

  test('late money, after the order had expired here, still pays it', async () => {
    await using shop = await openTestShop();
    const { customer, session, returnPath, orderPath } = await openHostedPage(shop);
    shop.simulator.control.fault('read-session', { kind: 'rewrite', set: { status: 'expired' } }, 1);
    await customer.get(returnPath);
    const expired = await customer.get(orderPath);
    const again = sessionIdOf((await customer.payHosted()).headers['location']);

    shop.simulator.control.paySession(again);
    shop.clock.advance(5_000);
    await customer.get(returnPath);

    expect(readOrderPage(expired.text).state).toBe('expired');
    expect(again).not.toBe(session);
    expect((await theOrder(shop)).state).toBe('paid');
  });
});
