import { describe, expect, test } from '@jest/globals';
import { reconcile } from '../../src/checkout/reconcile.js';
import { Customer, contact } from '../support/customer.js';
import { allAttempts, allOrders, theOrder } from '../support/inspect.js';
import { CARDS, payByCard } from '../support/purchase.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const MINUTE = 60_000;
const PAY_AGAIN = { ...contact, pay_again: '1' };

/** A customer who was sent to the bank and never came back. */
async function abandonBankPage(shop: TestShop): Promise<Customer> {
  const customer = await Customer.withCart(shop);
  await payByCard(shop, customer, CARDS.challenged);
  return customer;
}

const states = async (shop: TestShop) => (await allAttempts(shop)).map(({ state }) => state);

describe('an abandoned 3D Secure page', () => {
  test('may be given up for another way to pay nine minutes later, after a warning', async () => {
    await using shop = await openTestShop();
    const customer = await abandonBankPage(shop);
    const { token } = await theOrder(shop);

    const early = await customer.get(`/orders/${token}`);
    shop.clock.advance(9 * MINUTE);
    const late = await customer.get(`/orders/${token}`);
    const form = await customer.get('/checkout?pay_again=1');
    const unwarned = await customer.payHosted();
    const paid = await customer.payHosted(PAY_AGAIN);
    const after = await customer.get(`/orders/${token}`);

    expect(early.text).not.toContain('pay_again');
    expect(late.text).toContain('href="/checkout?pay_again=1"');
    expect(late.text).toContain('El banco todavía tiene abierto un pago anterior');
    expect(form.text).toContain('<input type="hidden" name="pay_again" value="1">');
    expect(form.text).toContain('El banco todavía tiene abierto un pago anterior');
    expect(unwarned.headers['location']).toBe(`/orders/${token}`);
    expect(paid.status).toBe(302);
    expect(await states(shop)).toEqual(['superseded', 'open']);
    expect(after.text).toContain('El banco todavía tiene abierto un pago anterior');
  });

  test('and that is approved after all is a second payment under review', async () => {
    await using shop = await openTestShop();
    const customer = await abandonBankPage(shop);
    shop.clock.advance(9 * MINUTE);
    await customer.payHosted(PAY_AGAIN);
    const [bank, hosted] = await allAttempts(shop);

    shop.simulator.control.paySession(hosted?.gatewayId ?? '');
    shop.simulator.control.approve(bank?.gatewayId ?? '');
    shop.clock.advance(MINUTE);
    while ((await reconcile(shop.context.checkout)) > 0);

    expect(await states(shop)).toEqual(['paid', 'paid']);
    expect(await theOrder(shop)).toMatchObject({ reviewReason: 'second_payment' });
  });

  test('may be given up once per order', async () => {
    await using shop = await openTestShop();
    const customer = await abandonBankPage(shop);
    shop.clock.advance(9 * MINUTE);
    const tokens = shop.simulator.control.tokenizeCard(CARDS.challenged);
    await customer.post('/checkout/card', { ...PAY_AGAIN, ...tokens });

    shop.clock.advance(9 * MINUTE);
    const again = await customer.payHosted(PAY_AGAIN);

    expect(again.status).toBe(303);
    expect(await states(shop)).toEqual(['superseded', 'open']);
  });

  test('may be given up for a changed cart, too', async () => {
    await using shop = await openTestShop();
    const customer = await abandonBankPage(shop);
    await customer.add({ product_id: 'alebrije-jaguar' });
    shop.clock.advance(9 * MINUTE);

    const unwarned = await customer.payHosted();
    const paid = await customer.payHosted(PAY_AGAIN);

    expect([unwarned.status, paid.status]).toEqual([303, 302]);
    expect((await allOrders(shop)).map(({ state }) => state)).toEqual(['cancelled', 'pending']);
  });

  test.each(['processing', 'on_hold', 'in_review'])(
    'is not given up while the gateway says %s',
    async (word) => {
      await using shop = await openTestShop();
      const customer = await abandonBankPage(shop);
      const [attempt] = await allAttempts(shop);
      shop.simulator.control.fault('read-transaction', {
        kind: 'rewrite',
        set: { status: word },
        remove: [],
      });
      shop.clock.advance(9 * MINUTE);

      const again = await customer.payHosted(PAY_AGAIN);

      expect(again.status).toBe(303);
      expect((await allAttempts(shop)).map(({ id }) => id)).toEqual([attempt?.id]);
    },
  );

  test('is not given up while the gateway cannot be asked', async () => {
    await using shop = await openTestShop();
    const customer = await abandonBankPage(shop);
    shop.clock.advance(9 * MINUTE);
    await customer.get(`/orders/${(await theOrder(shop)).token}`);
    shop.simulator.control.fault('read-transaction', { kind: 'status', status: 503 });

    const again = await customer.payHosted(PAY_AGAIN);

    expect(again.status).toBe(303);
    expect(await states(shop)).toEqual(['open']);
  });

  test('is not given up when a browser came back from it', async () => {
    await using shop = await openTestShop();
    const customer = await abandonBankPage(shop);
    const { token } = await theOrder(shop);
    await new Customer(shop).get(`/checkout/return/${token}`);
    shop.clock.advance(9 * MINUTE);

    const page = await customer.get(`/orders/${token}`);
    const again = await customer.payHosted(PAY_AGAIN);

    expect(page.text).not.toContain('pay_again');
    expect(again.status).toBe(303);
    expect(await states(shop)).toEqual(['open']);
  });
});
