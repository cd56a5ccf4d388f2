import { expect, test } from '@jest/globals';
import { importProducts } from '../../../src/catalog/import-products.js';
import { findStoredProduct } from '../../../src/tables/product-changes.js';
import { openSharedDatabase } from '../../support/test-database.js';

const { db, queries } = await openSharedDatabase();

test('the required texts of an import are those of the first locale', async () => {
  const file = 'id,price,image,name_en,image_alt_en,category_en\nsoap-1,45.50,/products/soap.jpg,Soap,A bar,Soaps\n';

  const result = await importProducts(db, Buffer.from(file), {
    locale: 'en',
    hasPicture: () => true,
    at: 5,
    by: 'test',
  });

  expect(result).toMatchObject({ ok: true });
  const stored = await findStoredProduct(queries, 'soap-1');
  expect(stored?.product).toMatchObject({ slug: 'soap', category: { id: 'soaps' } });
});
