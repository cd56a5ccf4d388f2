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

test('case 175: the back office finds and shows the product by its barcode', async () => {
  const merchant = await openBackOffice(shop);

  const answers = await Promise.all(
    [`/admin/products?q=${BARCODE}`, `/admin/products/${BARCODE}`].map((path) => merchant.get(path)),
  );

  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});
