/** Barcodes of 13 digits, of which one in ten has the check digit of a card number. */
import { expect, test } from '@jest/globals';
import { writeProducts } from '../../src/db/product-changes.js';
import { openBackOffice } from '../support/admin.js';
import { testProducts } from '../support/catalog.js';
import { Customer, contact } from '../support/customer.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop();
const BARCODE = '7501031311095';
const CARD = '4111111111111111';
const [MUG] = testProducts();
await writeProducts(shop.queries, [{ product: { ...MUG, id: BARCODE, slug: BARCODE }, position: 999 }], 1);

test('case 175: a product whose id and slug are a barcode is found, put into the cart, changed there and bought', async () => {
  const customer = new Customer(shop);
  const pages = [await customer.get(`/products/${BARCODE}`), await customer.get(`/?q=${BARCODE}`)];
  await customer.add({ product_id: BARCODE });
  const refused = await customer.post(`/cart/items/${BARCODE}`, { quantity: 'dos' });
  const changed = await customer.post(`/cart/items/${BARCODE}`, { quantity: '2' });
  const answer = await customer.payHosted(contact);

  for (const { status, text } of pages) expect([status, text.includes(BARCODE)]).toEqual([200, true]);
  expect([refused.status, refused.text.includes(`quantity-${BARCODE}-error`)]).toEqual([422, true]);
  expect([changed.status, answer.status]).toEqual([303, 302]);
});

test.each(['/', '/cart/items'])('case 109: beside an existing barcode a card number is refused at %s', async (path) => {
  const customer = new Customer(shop);
  const text = `${BARCODE} ${CARD}`;

  const answers =
    path === '/'
      ? [await customer.get(`/?q=${encodeURIComponent(text)}`), await customer.get(`/?q=${CARD}`)]
      : [await customer.post(path, { product_id: text }), await customer.post(path, { product_id: CARD })];

  expect(answers.map(({ status }) => status)).toEqual([422, 422]);
});

test('case 175: a new product whose id begins with a barcode keeps it after an error in another field', async () => {
  const merchant = await openBackOffice(shop);
  const id = '7501031311095-M';
  const form = { id, name_es_mx: 'Camisa', category_es_mx: 'Ropa', description_es_mx: `EAN ${BARCODE}` };

  const { status, text } = await merchant.post('/admin/products-new', { ...form, price: '1.250,00' });

  expect(status).toBe(422);
  expect(text).toContain(`value="${id}"`);
  expect(text).toContain(`EAN ${BARCODE}</textarea>`);
});

test('case 175: digits of a product name beside its barcode are no card number', async () => {
  const merchant = await openBackOffice(shop);
  const product = { ...MUG, id: '7501055300075', slug: 'taza-42', position: 998 };
  await writeProducts(shop.queries, [{ product, position: 998 }], 1);

  const page = await merchant.get('/admin/orders/new');
  const form_key = /name="form_key" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
  const order = { product_1: 'Taza 42 · 7501055300075', quantity_1: '1', ...contact, payable_hours: '24' };
  const { status } = await merchant.post('/admin/orders/new', { ...order, form_key, step: 'total' });

  expect(status).toBe(200);
});

test('case 175: the back office finds the product by its barcode, and shows an order of it', async () => {
  const merchant = await openBackOffice(shop);

  const answers = await Promise.all(
    [`/admin/products?q=${BARCODE}`, `/admin/products/${BARCODE}`, `/admin/orders?q=${BARCODE}`].map((path) =>
      merchant.get(path),
    ),
  );

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 422]);
});
