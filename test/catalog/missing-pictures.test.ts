import { expect, test } from '@jest/globals';
import { openTestShop } from '../support/test-shop.js';

test('a start with visible products without a picture file logs their number and ids in one line', async () => {
  await using shop = await openTestShop();
  const warnings = () => shop.logged.filter((line) => line.includes('product.picture_not_found'));
  const products = shop.context.checkout.db.queries.updateTable('products');
  await products
    .set({ image: '/products/gone.jpg' })
    .where('id', 'in', ['taza-talavera', 'cafe-chiapas'])
    .execute();
  const before = warnings();

  await shop.openReplica();

  expect(before).toEqual([]);
  expect(warnings()).toEqual([expect.stringContaining('"count":2,"products":"taza-talavera cafe-chiapas"')]);
});
