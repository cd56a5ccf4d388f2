import { expect, test } from '@jest/globals';
import { writeProducts } from '../../src/db/product-changes.js';
import { PAGE_SIZE, searchProducts } from '../../src/db/search-products.js';
import { testProducts } from '../support/catalog.js';
import { numbers } from '../support/crowd.js';
import { openSharedDatabase } from '../support/test-database.js';

const { queries } = await openSharedDatabase();
const [mug] = testProducts();

/** `test/web/pages.test.ts` shows which products a text finds. */
test('a search of products lists the visible ones of a category in the order of the catalog, page by page', async () => {
  const category = { id: 'velas', name: { 'es-MX': 'Velas' } };
  const candles = numbers(PAGE_SIZE + 2).map((index) => ({
    product: { ...mug, category, id: `vela-${99 - index}`, slug: `vela-${index}`, visible: index > 0 },
    position: index,
  }));
  await writeProducts(queries, [{ product: mug, position: 200 }, ...candles], 1);

  const pages = [1, 2, 3].map((page) => searchProducts(queries, { text: '', category: 'velas' }, { page, at: 1 }));
  const found = (await Promise.all(pages)).map(({ products }) => products.map(({ id }) => id));

  const ids = candles.slice(1).map(({ product }) => product.id);
  expect(found).toEqual([ids.slice(0, PAGE_SIZE), ids.slice(PAGE_SIZE), []]);
});
