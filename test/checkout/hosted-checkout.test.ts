import { describe, expect, test } from '@jest/globals';
import { Customer, contact, readOrderPage, sessionIdOf } from '../support/customer.js';
import { allAttempts, theOrder, until } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

describe('hosted checkout', () => {
  test('an order is written, sent, paid and confirmed, and the cart is empty after it', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop, { quantity: '2' });

    const redirect = await customer.payHosted();
    const session = sessionIdOf(redirect.headers['location']);
    shop.simulator.control.paySession(session);
    const [asked] = shop.simulator.control.calls('create-session');
    const body = asked?.body as { return_url: string; external_id: string };
    const back = await customer.get(`${new URL(body.return_url).pathname}?session_id=${session}`);
    const page = await customer.get(back.headers['location'] ?? '');
    const cart = await customer.get('/cart');

    expect(redirect.status).toBe(302);
    expect(back.status).toBe(303);
    expect(readOrderPage(page.text)).toEqual({ state: 'paid', number: body.external_id, detail: true });
    expect(shop.simulator.control.ledger()).toHaveLength(1);
    expect(cart.text).toContain('Tu carrito está vacío');
  });

  test('the gateway is asked for the frozen lines, the total in centavos, an end and a way back', async () => {
    await using shop = await openTestShop({ env: { ORDER_TTL_MINUTES: '45' } });
    const customer = await Customer.withCart(shop, { quantity: '3' });
    await customer.add({ product_id: 'jarra-barro-negro' });
    const askedAt = Math.floor(Date.now() / 1000);

    await customer.payHosted();

    const order = await theOrder(shop);
    const [attempt] = await allAttempts(shop);
    const [call] = shop.simulator.control.calls('create-session');
    const { expires_at: expiresAt, ...body } = (call?.body ?? {}) as { expires_at: number };
    expect(body).toEqual({
      customer: { first_name: contact.first_name, last_name: contact.last_name, email: contact.email },
      amount_total: 3 * 28_900 + 74_550,
      currency: 'MXN',
      line_items: [
        { name: 'Taza de talavera azul', quantity: 3, unit_price: 28_900, product_id: 'taza-talavera' },
        { name: 'Jarra de barro negro', quantity: 1, unit_price: 74_550, product_id: 'jarra-barro-negro' },
      ],
      external_id: order.number,
      metadata: { order_number: order.number },
      success_url: `${shop.url}/checkout/return/${order.token}`,
      return_url: `${shop.url}/checkout/return/${order.token}`,
    });
    expect(expiresAt).toBeGreaterThanOrEqual(askedAt + 45 * 60 - 1);
    expect(expiresAt).toBeLessThanOrEqual(askedAt + 45 * 60 + 5);
    expect(call?.headers['x-idempotency-key']).toBe(attempt?.id);
    expect(order.number).toMatch(/^TG-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  });

  test('order and attempt are on the disk before the gateway is called', async () => {
    await using shop = await openTestShop();
    const replica = await shop.openReplica();
    const customer = await Customer.withCart(shop);
    shop.simulator.control.fault('create-session', { kind: 'review' }, 1);

    const submit = customer.payHosted();
    await until(() => shop.simulator.control.calls('create-session').length === 1);
    const order = await theOrder({ context: replica });
    const [attempt] = await allAttempts({ context: replica });
    shop.simulator.control.release();
    await submit;

    expect(order).toMatchObject({ state: 'created', total: 28_900, email: contact.email });
    expect(attempt).toMatchObject({ state: 'creating', gatewayId: null, orderId: order.id, amount: 28_900 });
  });

  test('the order keeps the language it was placed in', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    await customer.post('/language', { lang: 'en' });

    await customer.payHosted();

    expect((await theOrder(shop)).locale).toBe('en');
    expect(shop.simulator.control.calls('create-session')[0]?.body).toMatchObject({
      line_items: [{ name: 'Blue talavera mug' }],
    });
  });

  test('who comes back to the form finds what they typed, and a corrected address reaches the order', async () => {
    await using shop = await openTestShop();
    const { customer } = await openHostedPage(shop);

    const form = await customer.get('/checkout');
    await customer.payHosted({ ...contact, email: 'eva.correct@example.com' });

    expect(form.text).toContain('value="eva.ruiz@example.com"');
    expect((await theOrder(shop)).email).toBe('eva.correct@example.com');
    expect(shop.simulator.control.sessions()).toHaveLength(1);
  });
});

describe('a total that is not the one the customer saw', () => {
  test('is shown and confirmed again, and nothing is placed before', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);

    const other = await customer.payHosted({ ...contact, seen_total: '100' });
    const same = await customer.payHosted({ ...contact, seen_total: '28900' });

    expect(other.status).toBe(409);
    expect(other.text).toContain('name="seen_total" value="28900"');
    expect(other.text).toContain(`value="${contact.email}"`);
    expect(other.text).toContain('$289.00');
    expect(same.status).toBe(302);
  });

  test('because another tab added something, is confirmed again on both ways to pay', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    await customer.add({ product_id: 'jarra-barro-negro' });

    const hosted = await customer.payHosted({ ...contact, seen_total: '28900' });
    const tokens = shop.simulator.control.tokenizeCard('4000000000000077');
    const card = await customer.post('/checkout/card', { ...contact, ...tokens, seen_total: '28900' });

    expect([hosted.status, card.status]).toEqual([409, 409]);
    expect(shop.simulator.control.calls()).toEqual([]);
  });

  test('because a price changed, is told with both prices and charged at neither unseen', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    await shop.context.checkout.db.queries
      .updateTable('cartLines')
      .set((eb) => ({ seenPrice: eb('seenPrice', '-', 1_000 as never) }))
      .execute();

    const unseen = await customer.payHosted();
    const confirmed = await customer.payHosted();

    expect(unseen.status).toBe(409);
    expect(unseen.text).toContain('$279.00');
    expect(unseen.text).toContain('$289.00');
    expect(confirmed.status).toBe(302);
    expect((await theOrder(shop)).total).toBe(28_900);
  });

  test('because a product was withdrawn, is told with its name and never sold', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    await customer.add({ product_id: 'jarra-barro-negro' });
    await shop.context.checkout.db.queries
      .updateTable('cartLines')
      .set({ productId: 'no-longer-sold' })
      .where('productId', '=', 'jarra-barro-negro')
      .execute();

    const cart = await customer.get('/cart');
    const told = await customer.payHosted();
    const confirmed = await customer.payHosted();

    expect(cart.text).toContain('no-longer-sold');
    expect(told.status).toBe(409);
    expect(confirmed.status).toBe(302);
    expect((await theOrder(shop)).total).toBe(28_900);
  });
});
