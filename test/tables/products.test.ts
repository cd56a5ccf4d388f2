import { expect, test } from '@jest/globals';
import { findAllProducts, writeProducts } from '../../src/tables/product-changes.js';
import { PAGE_SIZE, searchProducts } from '../../src/tables/search-products.js';
import { testProducts } from '../support/catalog.js';
import { numbers } from '../support/crowd.js';
import { openSharedDatabase, openTestDatabase } from '../support/test-database.js';

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

test('in a shop with an own column, a new product and a read one are written together, and the column keeps its value', async () => {
  await using shop = await openTestDatabase();
  await shop.queries.schema
    .alterTable('products')
    .addColumn('workshop', 'text', (column) => column.notNull().defaultTo('Oaxaca'))
    .execute();
  await writeProducts(shop.queries, [{ product: mug, position: 1 }], 1);
  const [read] = await findAllProducts(shop.queries);

  const changed = { product: { ...(read?.product ?? mug), visible: false }, position: 1 };
  await writeProducts(shop.queries, [{ product: { ...mug, id: 'new', slug: 'new' }, position: 2 }, changed], 2);

  const products = await findAllProducts(shop.queries);
  expect(products.map(({ product }) => product)).toMatchObject([
    { id: mug.id, visible: false, workshop: 'Oaxaca' },
    { id: 'new', workshop: 'Oaxaca' },
  ]);
});
