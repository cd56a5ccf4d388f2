import { expect, test } from '@jest/globals';
import type { Fault } from '@tianguis/gateway-tools';
import { centavos } from '@tianguis/payments/rules';
import { brand } from '../../src/locales/brand.js';
import { openBackOffice } from '../support/admin.js';
import { until } from '../support/crowd.js';
import { Customer, contact, mugOrder, readOrderPage } from '../support/customer.js';
import { allAttempts, allOrders, cartContents, theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage } from '../support/purchase.js';
import { impatient, openDoor } from '../support/replica.js';
import { openSharedShop } from '../support/shared-shop.js';
import { openTestShop } from '../support/test-shop.js';
import { attemptStates, orderPath } from './support.js';

const shop = await openSharedShop();

test('a session is created with the order’s lines, total in centavos, expiry and return URL', async () => {
  await using shop = await openTestShop({ env: { ORDER_TTL_MINUTES: '45' } });
  const customer = await Customer.withCart(shop, { quantity: '3' });
  await customer.add({ product_id: 'jarra-barro-negro' });
  const startedAt = Math.floor(Date.now() / 1000);

  await customer.payHosted();

  const answeredAt = Math.ceil(Date.now() / 1000);
  const order = await theOrder(shop);
  const [attempt] = await allAttempts(shop);
  const [call] = shop.control.calls('create-session');
  const { expires_at: expiresAt } = (call?.body ?? {}) as { expires_at: number };
  expect(call?.body).toMatchObject({
    amount_total: 3 * 28_900 + 74_550,
    external_id: order.number,
    return_url: `${shop.url}/checkout/return/${order.token}`,
  });
  expect(expiresAt).toBeGreaterThanOrEqual(startedAt + 45 * 60);
  expect(expiresAt).toBeLessThanOrEqual(answeredAt + 45 * 60);
  expect(call?.headers['x-idempotency-key']).toBe(attempt?.id);
  expect(order.number).toMatch(new RegExp(`^${brand.orderPrefix}-[0-9A-Z]{4}-[0-9A-Z]{4}$`));
});

test('a form with another total than the cart’s is shown again and places nothing before it is confirmed', async () => {
  const customer = await Customer.withCart(shop);
  const tokens = shop.control.tokenizeCard(CARDS.paid);

  const hosted = await customer.payHosted({ ...contact, seen: '100' });
  const card = await customer.post('/checkout/card', { ...contact, ...tokens, seen: '100' });
  const calls = shop.control.calls().length;
  const same = await customer.payHosted(mugOrder);

  expect([hosted.status, card.status, calls]).toEqual([409, 409, 0]);
  expect(hosted.text).toContain(`name="seen" value="${mugOrder.seen}"`);
  expect(hosted.text).toContain(`value="${contact.email}"`);
  expect(hosted.text).toContain('$289.00');
  expect(same.status).toBe(302);
});

test('a changed price is shown with both prices and charged only after a second submit', async () => {
  const customer = await Customer.withCart(shop);
  const seenPrice = centavos(27_900);
  await shop.queries.updateTable('cartLines').set({ seenPrice }).execute();

  const first = await customer.send('/checkout/hosted', { ...contact, shipping_option: 'none' });
  const confirmed = await customer.payHosted();

  expect(first.status).toBe(409);
  expect(first.text).toContain('$279.00');
  expect(first.text).toContain('$289.00');
  expect(confirmed.status).toBe(302);
  expect((await theOrder(shop)).total).toBe(28_900);
});

test('a withdrawn product is named and not part of the order', async () => {
  const customer = await Customer.withCart(shop);
  await customer.add({ product_id: 'jarra-barro-negro' });
  const withdrawn = { productId: 'no-longer-sold' };
  await shop.queries.updateTable('cartLines').set(withdrawn).where('productId', 'like', 'jarra%').execute();

  const cart = await customer.get('/cart');
  const first = await customer.send('/checkout/hosted', { ...contact, shipping_option: 'none' });
  const confirmed = await customer.payHosted();

  expect(cart.text).toContain('no-longer-sold');
  expect([first.status, confirmed.status]).toEqual([409, 302]);
  expect((await theOrder(shop)).total).toBe(28_900);
});

/** `test/gateway` shows which other answers are faults. */
test.each<[string, number, Fault, number?]>([
  ['breaks the connection after it created the session', 503, { kind: 'drop', when: 'after' }, 2],
  ['answers 401', 503, { kind: 'status', status: 401 }],
  ['answers 422', 502, { kind: 'status', status: 422, body: { error: { code: 'x' } } }],
  ['answers 200 instead of 201', 502, { kind: 'raw', status: 200, body: '{"id":"cs_1","status":"pending"}' }, 2],
  ['names another amount', 502, { kind: 'rewrite', set: { amount_total: 28_901 } }],
])(
  'when the gateway %s, the form is shown with %i, and may be sent again',
  async (_name, status, fault, attempts = 1) => {
    const customer = await Customer.withCart(shop, { quantity: '2' });
    shop.control.fault('create-session', fault);

    const failed = await customer.payHosted();
    const order = await theOrder(shop);
    const page = await new Customer(shop).get(await orderPath(shop));
    const cart = await cartContents(shop);
    shop.control.clearFaults();
    const next = await customer.payHosted();

    expect(failed.status).toBe(status);
    expect(failed.text).toContain(`value="${contact.email}"`);
    expect(failed.text).toContain('class="notice"');
    expect(failed.headers['location']).toBeUndefined();
    expect(failed.headers['retry-after']).toBe(status === 503 ? '5' : undefined);
    expect(readOrderPage(page.text)).toMatchObject({ state: 'created', detail: false });
    expect(cart).toEqual({ 'taza-talavera': 2 });
    expect(next.status).toBe(302);
    expect(await attemptStates(shop)).toEqual([...Array(attempts).fill('failed'), 'open']);
    expect((await theOrder(shop)).id).toBe(order.id);
  },
);

test.each<Fault>([
  { kind: 'hang', apply: true },
  { kind: 'drip', bytesPerSecond: 20 },
])('a session call with the fault %j ends at its deadline and may be sent again', async (fault) => {
  await using door = await openDoor(impatient(shop, { 'create-session': 250 }).web);
  const customer = await Customer.withCart(door);
  shop.control.fault('create-session', fault);

  const failed = await customer.payHosted();
  shop.control.clearFaults();
  // A slow machine can exceed the short deadline in a healthy call.
  await until(async () => (await customer.payHosted()).status === 302);

  expect(failed.status).toBe(503);
  expect(failed.text).toContain(`value="${contact.email}"`);
  expect(await allOrders(shop)).toHaveLength(1);
});

test('a lost answer to the session call is followed by one session with the next reference and another key', async () => {
  const customer = await Customer.withCart(shop);
  shop.control.fault('create-session', { kind: 'drop', when: 'after' }, 1);

  const answer = await customer.payHosted();

  const calls = shop.control.calls('create-session');
  const { number } = await theOrder(shop);
  const keys = calls.map(({ headers }) => headers['x-idempotency-key']);
  expect(answer.status).toBe(302);
  expect(calls.map(({ body }) => body)).toMatchObject([{ external_id: number }, { external_id: `${number}-2` }]);
  expect(new Set(keys).size).toBe(2);
  expect(await attemptStates(shop)).toEqual(['failed', 'open']);
});

test('a session that belongs to another order is not shown, and the next submit opens a page', async () => {
  const { session } = await openHostedPage(shop);
  const second = await Customer.withCart(shop);
  shop.control.fault('create-session', { kind: 'rewrite', set: { id: session } }, 1);

  const refused = await second.payHosted();
  const next = await second.payHosted();

  expect(refused.headers['location']).toMatch(/^\/orders\//);
  expect(next.status).toBe(302);
  expect(await attemptStates(shop)).toEqual(['open', 'failed', 'open']);
});

test('a hosted page on another origin is named with its setting in the log, the order page and the history', async () => {
  await using shop = await openTestShop();
  const admin = await openBackOffice(shop);
  const url = 'https://page.example/checkout/cs_1';
  shop.control.fault('create-session', { kind: 'rewrite', set: { url } }, 1);

  const answer = await (await Customer.withCart(shop)).payHosted();

  const { number } = await theOrder(shop);
  const page = await admin.get(`/admin/orders/${number}`);
  expect(answer.status).toBe(502);
  expect(shop.logged.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({
      msg: 'session.rejected',
      reason: 'page_origin',
      setting: 'CHECKOUT_PAGE_ORIGINS',
      origin: 'https://page.example',
    }),
  );
  expect(page.text).toContain('CHECKOUT_PAGE_ORIGINS');
  expect(page.text).toContain('https://page.example');
});
