/** Barcodes of 13 digits, of which one in ten has the check digit of a card number. */
import { expect, test } from '@jest/globals';
import { openBackOffice } from '../../../../test/support/admin.js';
import { testProducts } from '../../../../test/support/catalog.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { writeProducts } from '../../../tables/product-changes.js';

const shop = await openFileShop();
const BARCODE = '7501031311095';
const [MUG] = testProducts();
await writeProducts(shop.queries, [{ product: { ...MUG, id: BARCODE, slug: BARCODE }, position: 999 }], 1);

test('case 175: a new product whose id begins with a barcode keeps it after an error in another field', async () => {
  const merchant = await openBackOffice(shop);
  const id = '7501031311095-M';
  const form = { id, name_es_mx: 'Camisa', category_es_mx: 'Ropa', description_es_mx: `EAN ${BARCODE}` };

  const { status, text } = await merchant.post('/admin/products-new', { ...form, price: '1.250,00' });

  expect(status).toBe(422);
  expect(text).toContain(`value="${id}"`);
  expect(text).toContain(`EAN ${BARCODE}</textarea>`);
});
