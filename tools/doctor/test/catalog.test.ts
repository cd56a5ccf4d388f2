import { beforeEach, expect, test } from '@jest/globals';
import { writeProducts } from '../../../src/db/product-changes.js';
import { LOCALES } from '../../../src/shop/rules/locales.js';
import type { Product } from '../../../src/shop/rules/product.js';
import { testProducts } from '../../../test/support/catalog.js';
import { openFileShop } from '../../../test/support/shared-shop.js';
import { checkRunningShop, problemsOf } from './support.js';

const shop = await openFileShop();
const { queries } = shop.context.checkout.db;
const [MUG] = testProducts();

beforeEach(async () => {
  await queries.deleteFrom('productEvents').execute();
  await queries.deleteFrom('products').execute();
});

const fill = (...products: readonly Product[]) =>
  writeProducts(
    queries,
    products.map((product, position) => ({ product, position })),
    1,
  );

async function problems(production = true): Promise<readonly string[]> {
  return problemsOf(await checkRunningShop(shop, {}, { production }), 'catalog');
}

test('an empty catalog is reported in production only', async () => {
  expect(await problems()).toEqual(['catalog warning The catalog is empty.']);
  expect(await problems(false)).toEqual([]);
});

test('visible products without a picture file or an uploaded picture are reported', async () => {
  const gone = { ...MUG, id: 'gone', slug: 'gone', image: '/products/gone.jpg' };
  const image = `/pictures/${'a'.repeat(64)}`;
  const bytes = Buffer.alloc(1);
  await queries
    .insertInto('pictures')
    .values({ hash: 'a'.repeat(64), width: 400, storedAt: 1, bytes })
    .execute();
  await fill(MUG, { ...MUG, id: 'uploaded', slug: 'uploaded', image }, gone, {
    ...gone,
    id: 'hidden',
    slug: 'hidden',
    visible: false,
  });

  expect(await problems()).toEqual(['catalog warning Products have no picture: gone.']);
});

test('products without a name in an offered locale are noted', async () => {
  const { 'es-MX': name = '' } = MUG.name;
  await fill(MUG, { ...MUG, id: 'spanish', slug: 'spanish', name: { 'es-MX': name } });

  const note = 'catalog note Products have no name in a locale of LOCALES: spanish.';
  expect(await problems()).toEqual(LOCALES.length > 1 ? [note] : []);
});
