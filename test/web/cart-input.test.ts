import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { Customer, contact } from '../support/customer.js';
import { cartContents, dumpDatabase } from '../support/inspect.js';
import { openTestShop } from '../support/test-shop.js';

/** `test/domain/cart.test.ts` shows which other texts are refused. */
const NOT_A_QUANTITY = ['', '-1', '0.5', '1e3', '٥', '100', '1\u0000', '9'.repeat(10_000)];
const UNKNOWN_PRODUCTS = ['__proto__', 'constructor', "' OR 1=1 --", '\u0000', '../..', 'x'.repeat(10_000)];
const PRODUCT = 'product_id=taza-talavera';

const shop = await openTestShop();
afterAll(async () => shop[Symbol.asyncDispose]());
beforeEach(async () => {
  await shop.context.checkout.db.queries.deleteFrom('cartLines').execute();
});

test('what is no whole number from 1 to 99 is refused at its field, and the cart stays', async () => {
  const customer = await Customer.withCart(shop, { quantity: '2' });
  const before = await dumpDatabase(shop);

  for (const quantity of [...NOT_A_QUANTITY, '0', '00']) {
    const added = await customer.post('/cart/items', { product_id: 'taza-talavera', quantity });

    expect([quantity.slice(0, 20), added.status]).toEqual([quantity.slice(0, 20), 422]);
    // Long runs of digits may be a card number and are refused before the field is read.
    if (quantity.length < 13) expect(added.text).toContain('aria-invalid="true"');
  }
  for (const quantity of NOT_A_QUANTITY) {
    const changed = await customer.post('/cart/items/taza-talavera', { quantity });

    expect([quantity.slice(0, 20), changed.status]).toEqual([quantity.slice(0, 20), 422]);
  }
  expect(await dumpDatabase(shop)).toBe(before);
});

test('doubled fields, lists, objects and missing fields are refused, and the cart stays', async () => {
  const customer = await Customer.withCart(shop, { quantity: '2' });
  const before = await dumpDatabase(shop);

  const quantities = 'quantity=1&quantity=2 quantity[]=1 quantity[0]=1 quantity[$gt]=1'.split(' ');
  for (const form of [
    ...quantities.map((fields) => `${PRODUCT}&${fields}`),
    ...[`${PRODUCT}&${PRODUCT}&quantity=1`, 'product_id[]=taza-talavera&quantity=1'],
    ...[PRODUCT, 'quantity=1', ''],
  ]) {
    const answer = await customer.agent.post('/cart/items').type('form').redirects(0).send(form);

    expect([form, answer.status]).toEqual([form, 422]);
  }
  expect(await dumpDatabase(shop)).toBe(before);
});

test('a product that the shop does not sell is refused', async () => {
  const customer = await Customer.withCart(shop);
  const before = await dumpDatabase(shop);

  for (const id of UNKNOWN_PRODUCTS) {
    const added = await customer.post('/cart/items', { product_id: id, quantity: '1' });
    const changed = await customer.post(`/cart/items/${encodeURIComponent(id)}`, { quantity: '1' });

    expect([id.slice(0, 20), added.status, changed.status]).toEqual([id.slice(0, 20), 422, 422]);
  }
  expect(await dumpDatabase(shop)).toBe(before);
});

test('a price, name, total or currency that the browser sends changes nothing', async () => {
  const customer = new Customer(shop);
  const forged = { unit_price: '1', price: '1', total: '1', amount: '1', currency: 'USD', name: 'Gratis' };
  const addresses = { external_id: 'mine', return_url: 'https://evil.example' };

  await customer.post('/cart/items', {
    ...{ product_id: 'taza-talavera', quantity: '1', seenPrice: '1' },
    ...forged,
  });
  const answer = await customer.payHosted({
    ...{ ...contact, ...forged, ...addresses },
    'line_items[0][unit_price]': '1',
  });

  expect(answer.status).toBe(302);
  expect(shop.simulator.control.calls('create-session')[0]?.body).toMatchObject({
    amount_total: 28_900,
    currency: 'MXN',
    line_items: [{ name: 'Taza de talavera azul', unit_price: 28_900, quantity: 1 }],
    return_url: expect.stringContaining(shop.url),
  });
});

test('ninety-nine pieces of a product is the limit, also when they are added one by one', async () => {
  const customer = await Customer.withCart(shop, { quantity: '99' });

  const oneMore = await customer.post('/cart/items', { product_id: 'taza-talavera', quantity: '1' });

  expect(oneMore.status).toBe(422);
  expect(await cartContents(shop)).toEqual({ 'taza-talavera': 99 });
});
