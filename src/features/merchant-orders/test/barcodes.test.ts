/** Barcodes of 13 digits, of which one in ten has the check digit of a card number. */
import { expect, test } from '@jest/globals';
import { openBackOffice } from '../../../../test/support/admin.js';
import { testProducts } from '../../../../test/support/catalog.js';
import { contact } from '../../../../test/support/customer.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { writeProducts } from '../../../tables/product-changes.js';

const shop = await openFileShop();
const BARCODE = '7501031311095';
const [MUG] = testProducts();
await writeProducts(shop.queries, [{ product: { ...MUG, id: BARCODE, slug: BARCODE }, position: 999 }], 1);

test('case 175: a barcode finds its product, and is no card number in the form', async () => {
  const merchant = await openBackOffice(shop);
  const page = await merchant.get('/admin/orders/new');
  const form_key = /name="form_key" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
  const order = { ...contact, payable_hours: '24', form_key };

  const found = await merchant.post('/admin/orders/new', { ...order, step: 'search', product_search: BARCODE });
  const { status } = await merchant.post('/admin/orders/new', {
    ...order,
    product_1: BARCODE,
    quantity_1: '1',
    step: 'total',
  });

  expect([found.text.includes(`name="product_add" value="${BARCODE}"`), status]).toEqual([true, 200]);
});

test('a card number in a further field of the form is stored nowhere', async () => {
  const merchant = await openBackOffice(shop);
  const page = await merchant.get('/admin/orders/new');
  const form_key = /name="form_key" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
  // Another form, which shows the number as an error, has a field of this name.
  const order = { ...contact, form_key, decision_note: '4242 4242 4242 4242', step: 'search', product_search: 'taza' };

  const { status } = await merchant.post('/admin/orders/new', order);

  const forms = await shop.queries.selectFrom('typedForms').select('content').execute();
  expect([status, forms.length > 0]).toEqual([200, true]);
  expect(JSON.stringify(forms)).not.toContain('4242');
});
