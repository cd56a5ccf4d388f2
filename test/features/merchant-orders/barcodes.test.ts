/** Barcodes of 13 digits, of which one in ten has the check digit of a card number. */
import { expect, test } from '@jest/globals';
import { writeProducts } from '../../../src/db/product-changes.js';
import { openBackOffice } from '../../support/admin.js';
import { testProducts } from '../../support/catalog.js';
import { contact } from '../../support/customer.js';
import { openFileShop } from '../../support/shared-shop.js';

const shop = await openFileShop();
const BARCODE = '7501031311095';
const [MUG] = testProducts();
await writeProducts(shop.queries, [{ product: { ...MUG, id: BARCODE, slug: BARCODE }, position: 999 }], 1);

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
