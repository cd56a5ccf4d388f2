/** Barcodes of 13 digits, of which one in ten has the check digit of a card number. */
import { expect, test } from '@jest/globals';
import { writeProducts } from '../../src/tables/product-changes.js';
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

test('case 175: the search for orders takes a barcode for the number of no order', async () => {
  const merchant = await openBackOffice(shop);

  const { status, text } = await merchant.get(`/admin/orders?q=${BARCODE}`);

  expect([status, text.includes('id="q-error"')]).toEqual([422, true]);
});
