import { expect, test } from '@jest/globals';
import { openBackOffice } from '../../../../../test/support/admin.js';
import { openFileShop } from '../../../../../test/support/shared-shop.js';
import { cellsOf } from '../../../../catalog/product-cells.js';
import { findStoredProduct } from '../../../../tables/product-changes.js';

const shop = await openFileShop({ env: { LOCALES: 'es-MX' } });

async function stored() {
  const found = await findStoredProduct(shop.queries, 'taza-talavera');
  if (!found) throw new Error('no product');
  return found;
}

test('a shop with one locale asks for its texts only, and leaves the texts of the other', async () => {
  const owner = await openBackOffice(shop);
  const before = await stored();
  const cells = Object.entries(cellsOf(before.product)).filter(([name]) => !name.endsWith('_en'));
  const seen = { version: String(before.version), seen_stock: '', name_es_mx: 'Taza azul' };

  const pages = [await owner.get('/admin/products-new'), await owner.get('/admin/products/taza-talavera')];
  await owner.post('/admin/products/taza-talavera', { ...Object.fromEntries(cells), ...seen });

  for (const { text } of pages) expect(text).not.toMatch(/name="\w+_en(?:-new)?"|<legend>español/);
  expect(Object.keys(before.product.name)).toEqual(['es-MX', 'en']);
  expect((await stored()).product.name).toEqual({ ...before.product.name, 'es-MX': 'Taza azul' });
});
