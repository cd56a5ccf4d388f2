/** A checkout page that was opened before its cart, a price or a code changed. */
import { beforeEach, expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { MUG } from '../support/catalog.js';
import { Customer, contact, mugOrder, shownTotal, valueIn } from '../support/customer.js';
import { allOrders, theOrder } from '../support/inspect.js';
import { CARDS } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';

const shop = await openSharedShop();
const OTHER = 'alebrije-jaguar';

const setPrice = (id: string, price: number) =>
  shop.queries
    .updateTable('products')
    .set({ price: centavos(price) })
    .where('id', '=', id)
    .execute();

beforeEach(async () => {
  for (const id of [MUG, OTHER]) await setPrice(id, 289_00);
});

/** Opens the checkout with two products of $289.00. */
async function openPage() {
  const customer = await Customer.withCart(shop);
  await customer.add({ product_id: OTHER });
  const { fields } = await customer.readCheckout();
  return { customer, form: { ...contact, shipping_option: 'none', ...fields } };
}

type Change = (customer: Customer) => Promise<unknown>;
const setQuantity = (id: string, quantity: string) => (customer: Customer) =>
  customer.post(`/cart/items/${id}`, { quantity });

const CHANGES: readonly (readonly [string, Change])[] = [
  ['a product was added', (customer) => customer.add({ product_id: 'papel-picado' })],
  ['a product was removed', setQuantity(OTHER, '0')],
  ['a quantity was raised', setQuantity(MUG, '2')],
  ['a price was raised', () => setPrice(MUG, 300_00)],
  [
    'a price was raised and another lowered by as much',
    () => Promise.all([setPrice(MUG, 299_00), setPrice(OTHER, 279_00)]),
  ],
  [
    'one product took the place of another of the same price',
    async (customer) => {
      await setQuantity(OTHER, '0')(customer);
      await setQuantity(MUG, '2')(customer);
    },
  ],
];

test.each(CHANGES)(
  'case 203: while a page was open, %s: both flows place nothing, show what the cart has now, and then charge that',
  async (_, change) => {
    const { customer, form } = await openPage();
    await change(customer);

    const card = await customer.send('/checkout/card', { ...form, ...shop.control.tokenizeCard(CARDS.paid) });
    const hosted = await customer.send('/checkout/hosted', form);
    const calls = [
      shop.control.calls('process').length,
      shop.control.sessions().length,
      (await allOrders(shop)).length,
    ];
    const paying = await customer.send('/checkout/hosted', { ...form, seen: valueIn(hosted.text, 'seen') });

    expect([card.status, hosted.status, ...calls]).toEqual([409, 409, 0, 0, 0]);
    for (const { text } of [card, hosted])
      expect(text).toContain('Tu carrito cambió después de abrir esta página. Ahora tiene');
    expect(hosted.text).toMatch(/<details class="card fold narrow-only" open>/);
    expect(paying.status).toBe(302);
    const charged = shop.control.sessions()[0]?.request.amount_total;
    expect([charged, (await theOrder(shop)).total]).toEqual([shownTotal(hosted.text), shownTotal(hosted.text)]);
  },
);

test('case 203: a page of a changed cart with an invalid field says both', async () => {
  const { customer, form } = await openPage();
  await customer.add();

  const { status, text } = await customer.send('/checkout/hosted', { ...form, email: '' });

  expect([status, text.includes('id="email-error"'), text.includes('Tu carrito cambió')]).toEqual([422, true, true]);
});

test('case 203: a page that is shown again for another reason does not say that the cart changed', async () => {
  const customer = await Customer.withCart(shop);

  const { status, text } = await customer.send('/checkout/hosted', { ...mugOrder, email: '' });

  expect([status, text.includes('Tu carrito cambió'), text.includes('Ahora el total es')]).toEqual([422, false, false]);
});
