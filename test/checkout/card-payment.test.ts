import { describe, expect, test } from '@jest/globals';
import { Customer, contact, readOrderPage } from '../support/customer.js';
import { allAttempts, allFulfilments, allOrders, cartContents, theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const orderPath = async (shop: TestShop) => `/orders/${(await theOrder(shop)).token}`;
const sent = (shop: TestShop) => shop.simulator.control.calls('process');

/** A customer whom the bank is asking for a proof. */
async function standBeforeBank(shop: TestShop) {
  const customer = await Customer.withCart(shop);
  const redirect = await payByCard(shop, customer, CARDS.challenged);
  const [payment] = shop.simulator.control.payments();
  return { customer, redirect, payment: payment?.id ?? '', returnPath: await returnPath(shop) };
}

async function returnPath(shop: TestShop): Promise<string> {
  return `/checkout/return/${(await theOrder(shop)).token}`;
}

describe('paying by card', () => {
  test('sends tokens, pesos with two decimals and the order’s reference, and confirms after a lookup', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop, { quantity: '3' });

    const answer = await payByCard(shop, customer);
    const page = await customer.get(answer.headers['location'] ?? '');

    const order = await theOrder(shop);
    const [attempt] = await allAttempts(shop);
    const [call] = sent(shop);
    expect([answer.status, answer.headers['location']]).toEqual([303, `/orders/${order.token}`]);
    expect(call?.body).toMatchObject({
      operation_type: 'payment',
      amount: 867,
      currency: 'MXN',
      customer: { name: 'Eva Ruiz Nava', email: contact.email },
      client_reference: order.number,
      return_url: `${shop.url}/checkout/return/${order.token}`,
    });
    expect(call?.headers['x-request-id']).toBe(attempt?.id);
    expect(shop.simulator.control.calls('read-transaction')).toHaveLength(1);
    expect(readOrderPage(page.text)).toMatchObject({ state: 'paid', detail: true });
    expect(await cartContents(shop)).toEqual({});
    expect(await allFulfilments(shop)).toHaveLength(1);
  });

  test.each(['ascii', 'utf8'] as const)(
    'as José Núñez is paid at a gateway that asks for signatures over %s',
    async (signingText) => {
      const PAYMENTS_SIGNING_SECRET = 'signing-secret-of-this-shop';
      await using shop = await openTestShop({
        env: { PAYMENTS_SIGNING_SECRET, PAYMENTS_SIGNING_TEXT: signingText },
      });
      const { control } = shop.simulator;
      control.settings({ signingSecret: PAYMENTS_SIGNING_SECRET, signingText });
      const customer = await Customer.withCart(shop);
      const tokens = control.tokenizeCard(CARDS.paid);

      await customer.post('/checkout/card', {
        ...contact,
        first_name: 'José',
        last_name: 'Núñez',
        ...tokens,
      });

      expect((await theOrder(shop)).state).toBe('paid');
      expect(sent(shop)[0]?.body).toMatchObject({ customer: { name: 'José Núñez' } });
    },
  );

  test('that is authorised only is paid as well', async () => {
    await using shop = await openTestShop();

    await payByCard(shop, await Customer.withCart(shop), CARDS.authorized);

    expect((await theOrder(shop)).state).toBe('paid');
  });

  test('is not called paid for the answer’s word alone', async () => {
    await using shop = await openTestShop();
    shop.simulator.control.fault('read-transaction', { kind: 'status', status: 500 });

    await payByCard(shop, await Customer.withCart(shop));

    expect((await theOrder(shop)).state).toBe('pending');
    expect(await allFulfilments(shop)).toEqual([]);
  });

  test('leads to the bank when it asks for a proof, and is paid once the bank approved', async () => {
    await using shop = await openTestShop();
    const { customer, redirect, payment, returnPath: back } = await standBeforeBank(shop);
    const before = await customer.get(await orderPath(shop));

    shop.simulator.control.approve(payment);
    shop.clock.advance(3_000);
    await new Customer(shop).post(back, { PaRes: 'x' });
    const after = await customer.get(await orderPath(shop));

    expect(redirect.status).toBe(302);
    expect(redirect.headers['location']).toContain(`${shop.simulator.url}/bank/`);
    expect(readOrderPage(before.text).state).toBe('pending');
    expect(before.text).toContain(redirect.headers['location']);
    expect(readOrderPage(after.text).state).toBe('paid');
  });

  test('that the bank refused is declined, keeps the cart, and another card may pay under a new reference', async () => {
    await using shop = await openTestShop();
    const { customer, payment, returnPath: back } = await standBeforeBank(shop);
    shop.simulator.control.refuse(payment);
    await customer.get(back);
    const declined = await customer.get(await orderPath(shop));
    const kept = await cartContents(shop);

    const again = await payByCard(shop, customer);

    const { number, state } = await theOrder(shop);
    const references = sent(shop).map(({ body }) => (body as { client_reference: string }).client_reference);
    expect(readOrderPage(declined.text).state).toBe('declined');
    expect(kept).toEqual({ 'taza-talavera': 1 });
    expect(again.headers['location']).toBe(await orderPath(shop));
    expect(references).toEqual([number, `${number}-2`]);
    expect(state).toBe('paid');
  });

  test('whose proof was never given in time ends as expired, and may be tried again', async () => {
    await using shop = await openTestShop();
    const { customer, returnPath: back } = await standBeforeBank(shop);
    shop.simulator.control.advanceClock(31 * 60_000);
    shop.clock.advance(31 * 60_000);
    await customer.get(back);
    const ended = await theOrder(shop);

    await payByCard(shop, customer);

    expect(ended.state).toBe('expired');
    expect((await theOrder(shop)).state).toBe('paid');
  });

  test('by someone who walked away from the bank is not sent twice: the form leads to the order', async () => {
    await using shop = await openTestShop();
    const { customer } = await standBeforeBank(shop);

    const atOnce = await payByCard(shop, customer);
    shop.clock.advance(60_000);
    const later = await payByCard(shop, customer);
    const hosted = await customer.payHosted();

    for (const answer of [atOnce, later, hosted]) {
      expect([answer.status, answer.headers['location']]).toEqual([303, await orderPath(shop)]);
    }
    expect(sent(shop)).toHaveLength(1);
    expect(shop.simulator.control.sessions()).toEqual([]);
  });

  test('by someone at the bank who changes the cart waits for the bank first', async () => {
    await using shop = await openTestShop();
    const { customer, payment, returnPath: back } = await standBeforeBank(shop);
    await customer.add({ product_id: 'jarra-barro-negro' });

    const held = await payByCard(shop, customer);
    shop.simulator.control.approve(payment);
    shop.clock.advance(3_000);
    await customer.get(back);

    expect(held.headers['location']).toBe(await orderPath(shop));
    expect(sent(shop)).toHaveLength(1);
    expect((await allOrders(shop)).map(({ state }) => state)).toEqual(['paid']);
    expect(await cartContents(shop)).toEqual({ 'jarra-barro-negro': 1 });
  });

  test.each([200, 402] as const)(
    'declined with HTTP %i leads to the order, which says so, and keeps the cart',
    async (status) => {
      await using shop = await openTestShop();
      shop.simulator.control.settings({ declineHttpStatus: status });
      const customer = await Customer.withCart(shop);

      const answer = await payByCard(shop, customer, CARDS.declined);
      const page = await customer.get(answer.headers['location'] ?? '');
      const next = await payByCard(shop, customer);

      expect(answer.status).toBe(303);
      expect(readOrderPage(page.text).state).toBe('declined');
      expect(page.text).toContain('href="/checkout"');
      expect(next.status).toBe(303);
      expect((await theOrder(shop)).state).toBe('paid');
      expect((await allAttempts(shop)).map(({ state }) => state)).toEqual(['declined', 'paid']);
    },
  );

  test('submitted five times at once is sent once', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    const tokens = shop.simulator.control.tokenizeCard(CARDS.paid);

    const answers = await Promise.all(
      Array.from({ length: 5 }, () => customer.post('/checkout/card', { ...contact, ...tokens })),
    );

    const path = await orderPath(shop);
    expect(answers.map(({ status, headers }) => [status, headers['location']])).toEqual(
      answers.map(() => [303, path]),
    );
    expect(sent(shop)).toHaveLength(1);
    expect(shop.simulator.control.ledger()).toHaveLength(1);
    expect(await allFulfilments(shop)).toHaveLength(1);
  });

  test('after a hosted page was opened closes that page’s attempt, and money there is a second payment', async () => {
    await using shop = await openTestShop();
    const { customer, session, returnPath: back } = await openHostedPage(shop);
    shop.clock.advance(5_000);

    await payByCard(shop, customer);
    const paid = await theOrder(shop);
    shop.simulator.control.paySession(session);
    shop.clock.advance(5_000);
    await customer.get(back);

    expect(paid).toMatchObject({ state: 'paid', reviewReason: null });
    expect(await allFulfilments(shop)).toHaveLength(1);
    expect((await theOrder(shop)).state).toBe('paid');
    expect((await allAttempts(shop)).map(({ flow, state }) => [flow, state])).toContainEqual([
      'card',
      'paid',
    ]);
  });
});
