import { beforeEach, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { MUG } from '../support/catalog.js';
import { Customer } from '../support/customer.js';
import { cartContents, dumpDatabase } from '../support/inspect.js';
import { openFileShop } from '../support/shared-shop.js';
import { LIMITED, setStock } from '../support/stock.js';

const NUMBER = '4111111111111111';
const OTHER = 'molcajete-basalto';
const shop = await openFileShop();
beforeEach(async () => {
  await shop.queries.deleteFrom('cartLines').execute();
  await setStock(shop, 3);
});

/** A customer with one piece of two products, of which one is limited. */
async function withTwoLines(): Promise<Customer> {
  const customer = await Customer.withCart(shop, { product_id: MUG });
  await customer.add({ product_id: LIMITED });
  return customer;
}

const field = (id: string, shown: string) => `quantity[${id}][${shown}]`;

test.each<[string, Record<string, string>, string, Record<string, number>]>([
  ['no changed line', { [field(MUG, '1')]: '1', [field(LIMITED, '1')]: '1' }, '/cart', { [MUG]: 1, [LIMITED]: 1 }],
  ['two changed lines', { [field(MUG, '1')]: '5', [field(LIMITED, '1')]: '3' }, '/cart', { [MUG]: 5, [LIMITED]: 3 }],
  ['the payment button', { [field(MUG, '1')]: '5', next: 'checkout' }, '/checkout', { [MUG]: 5, [LIMITED]: 1 }],
  ['another page as next', { [field(MUG, '1')]: '5', next: '//evil.example' }, '/cart', { [MUG]: 5, [LIMITED]: 1 }],
  ['the remove button', { [field(MUG, '1')]: '5', [field(MUG, 'remove')]: '0' }, '/cart', { [LIMITED]: 1 }],
  ['an edited line', { [field(MUG, 'edited')]: '1', [field(LIMITED, '3')]: '3' }, '/cart', { [MUG]: 1, [LIMITED]: 1 }],
  ['a line that is not in the cart', { [field(OTHER, '1')]: '1' }, '/cart', { [MUG]: 1, [LIMITED]: 1 }],
  [
    'other fields',
    { quantity: '9', 'quantity[]': '9', [`quantity[${MUG}]`]: '9' },
    '/cart',
    { [MUG]: 1, [LIMITED]: 1 },
  ],
])('the cart’s form with %s stores what differs from the page', async (_what, fields, path, cart) => {
  const answer = await (await withTwoLines()).send('/cart', fields);

  expect([answer.status, answer.headers['location']]).toEqual([303, path]);
  expect(await cartContents(shop)).toEqual(cart);
});

test.each([
  ['more than is left', { [field(LIMITED, '1')]: '4' }, 'Solo quedan 3 piezas, contando', 'value="4"'],
  ['no number', { [field(LIMITED, '1')]: 'cuatro' }, 'Escribe un número entero', 'value="cuatro"'],
  ['no text', { [field(LIMITED, '1')]: '' }, 'Escribe un número entero', 'value=""'],
  ['two values', `${field(LIMITED, '1')}=2&${field(LIMITED, '1')}=3`, 'Escribe un número entero', 'value=""'],
  ['an unknown product', { [field('unknown', '1')]: '4' }, 'Ese producto ya no está a la venta.', ''],
])('the cart’s form with %s and a valid change stores the change, and asks', async (_what, fields, message, value) => {
  const customer = await withTwoLines();
  const change = { [field(MUG, '1')]: '5', next: 'checkout' };
  const form = typeof fields === 'string' ? `${fields}&${new URLSearchParams(change)}` : { ...fields, ...change };

  const answer = await customer.send('/cart', form);

  expect(answer.status).toBe(422);
  for (const text of [message, value]) expect(answer.text).toContain(text);
  expect(await cartContents(shop)).toEqual({ [MUG]: 5, [LIMITED]: 1 });
});

test.each([
  ['as a product', { [field(NUMBER, '1')]: '2' }],
  ['as a quantity', { [field(MUG, '1')]: NUMBER }],
])('a card number in the cart’s form %s is refused, and neither stored nor logged', async (_where, fields) => {
  const answer = await (await withTwoLines()).send('/cart', fields);

  expect([answer.status, answer.text.includes(NUMBER)]).toEqual([422, false]);
  expect(`${await dumpDatabase(shop)}${shop.logged.join('')}`).not.toContain(NUMBER);
});

test('a quantity in the cart’s form of a session without a cart makes one', async () => {
  const answer = await new Customer(shop).send('/cart', { [field(MUG, '1')]: '5', next: 'checkout' });

  expect([answer.status, await cartContents(shop)]).toEqual([303, { [MUG]: 5 }]);
});

test('a line that sold out, was withdrawn or was deleted has a remove button, which removes it', async () => {
  for (const leave of [
    () => setStock(shop, 0),
    () => shop.queries.updateTable('products').set({ visible: 0 }).where('id', '=', LIMITED).execute(),
    () => shop.queries.updateTable('cartLines').set({ productId: 'gone' }).where('productId', '=', LIMITED).execute(),
  ]) {
    const customer = await withTwoLines();
    await leave();
    const { text } = await customer.get('/cart');
    const ids = [...text.matchAll(/name="quantity\[([\w-]+)\]\[remove\]"/g)].map(([, id]) => id);
    const [id = ''] = ids.filter((each) => each !== MUG);

    const removed = await customer.send('/cart', { [field(id, 'remove')]: '0' });
    await shop.queries.updateTable('products').set({ visible: 1 }).where('id', '=', LIMITED).execute();
    await setStock(shop, 3);

    expect([ids.length, removed.status, await cartContents(shop)]).toEqual([2, 303, { [MUG]: 1 }]);
    expect((await customer.get('/cart')).text).not.toContain(`[${id}]`);
    await shop.queries.deleteFrom('cartLines').execute();
  }
});

test('a cart of which nothing is left shows its line, and no button to pay', async () => {
  const customer = await Customer.withCart(shop, { product_id: LIMITED });
  await setStock(shop, 0);

  const { text } = await customer.get('/cart');

  for (const part of [`id="remove-${LIMITED}"`, 'Agotado por ahora']) expect(text).toContain(part);
  expect(text).not.toContain('go-to-checkout');
});

test('the header counts the pieces that the cart shows, none of a product that sold out', async () => {
  const customer = await Customer.withCart(shop, { product_id: LIMITED, quantity: '3' });
  const counts: (string | undefined)[] = [];

  for (const stock of [3, 2, 0]) {
    await setStock(shop, stock);
    for (const path of ['/cart', '/']) {
      const { text } = await customer.get(path);
      counts.push(/data-test="cart-count"[^>]*>(\d+)</.exec(text)?.[1]);
    }
  }

  expect(counts).toEqual(['3', '3', '2', '2', '0', '0']);
});

test('after a browser that keeps no cookies added a product, the cart says so and what to do, also on a reload', async () => {
  const add = (path: string, fields: object) => supertest(shop.url).post(path).type('form').redirects(0).send(fields);
  const answers = [
    await add('/cart/items', { product_id: MUG, quantity: '1' }),
    await add('/cart', { [field(MUG, '0')]: '1' }),
    await add(`/cart/items/${MUG}`, { quantity: '1' }),
  ];

  for (const { status, headers } of answers) {
    expect([status, headers['cache-control'], headers['location']]).toEqual([303, 'no-store', '/cart?added=1']);
    const page = await supertest(shop.url).get(headers['location'] ?? '');
    expect([page.status, page.headers['cache-control'], page.headers['set-cookie']]).toEqual([
      ...[200, 'no-store', undefined],
    ]);
    expect(page.text).toContain('data-test="no-cookies"');
    expect(page.text).toContain('Permite las cookies de esta tienda');
    expect(page.text).not.toContain('Tu carrito está vacío');
  }
  for (const fields of [{}, { [field(MUG, '1')]: '0' }])
    expect((await add('/cart', fields)).headers['location']).toBe('/cart');
  expect((await supertest(shop.url).get('/cart')).text).toContain('Tu carrito está vacío');
});

test('a browser that keeps cookies gets the plain address of the cart, and never the text about cookies', async () => {
  const customer = new Customer(shop);
  const line = { product_id: MUG, quantity: '1' };

  const first = await customer.post('/cart/items', line);
  const marked = await customer.get('/cart?added=1');
  const second = await customer.post('/cart/items', line);
  await customer.send('/cart', { [field(MUG, 'remove')]: '0' });
  const emptied = await customer.agent.get('/cart?added=1').redirects(1);

  const paths = [first, marked, second].map(({ headers }) => headers['location']);
  expect(paths).toEqual(['/cart?added=1', '/cart', '/cart']);
  expect(emptied.text).toContain('Tu carrito está vacío');
});
