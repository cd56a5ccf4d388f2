import { describe, expect, test } from '@jest/globals';
import { contact, readOrderPage, Shopper, sessionIdOf } from '../support/shopper.js';
import { openTestShop } from '../support/test-shop.js';

describe('hosted checkout', () => {
  test('an order is written, sent, paid and confirmed, and the cart is empty after it', async () => {
    await using shop = await openTestShop();
    const shopper = await Shopper.withCart(shop, { quantity: '2' });

    const redirect = await shopper.payHosted();
    const session = sessionIdOf(redirect.headers['location']);
    shop.simulator.control.paySession(session);
    const [asked] = shop.simulator.control.calls('create-session');
    const body = asked?.body as { return_url: string; external_id: string };
    const back = await shopper.get(`${new URL(body.return_url).pathname}?session_id=${session}`);
    const page = await shopper.get(back.headers['location'] ?? '');
    const cart = await shopper.get('/cart');

    expect(redirect.status).toBe(302);
    expect(back.status).toBe(303);
    expect(readOrderPage(page.text)).toEqual({ state: 'paid', number: body.external_id, detail: true });
    expect(shop.simulator.control.ledger()).toHaveLength(1);
    expect(cart.text).toContain('Tu carrito está vacío');
    expect(contact.email).toBeTruthy();
  });
});
