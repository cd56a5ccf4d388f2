import { beforeEach, expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { DEFAULT_TABLE } from '../../../src/shop/rules/default-table.js';
import { LOCALES } from '../../../src/shop/rules/locales.js';
import type { Product } from '../../../src/shop/rules/product.js';
import type { ShippingTable } from '../../../src/shop/rules/shipping-table.js';
import { writeProducts } from '../../../src/tables/product-changes.js';
import { testProducts } from '../../../test/support/catalog.js';
import { openFileShop } from '../../../test/support/shared-shop.js';
import { storeSettings } from '../../../test/support/shop-settings.js';
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

async function problems(production = true, check = 'catalog'): Promise<readonly string[]> {
  return problemsOf(await checkRunningShop(shop, {}, { production }), check);
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

test('visible products that are shipped and have no weight are noted, once the delivery costs by weight', async () => {
  const shipped = { ...MUG, requiresShipping: true };
  const named = (id: string, changes: Partial<Product>) => ({ ...shipped, id, slug: id, ...changes });
  await fill(
    named('unweighed', {}),
    ...[named('weighed', { weight: 350 }), named('hidden', { visible: false })],
    named('download', { requiresShipping: false }),
  );
  const before = await problems(true, 'weights');
  const delivery = {
    by: 'weight',
    steps: [{ upTo: null, price: centavos(99_00) }],
    freeFrom: null,
    days: null,
  } as const;
  const zones = DEFAULT_TABLE.zones.map((zone) => ({ ...zone, delivery }));
  await storeSettings(queries, { shipping: { ...DEFAULT_TABLE, zones } satisfies ShippingTable });

  expect(before).toEqual([]);
  expect(await problems(true, 'weights')).toEqual([
    'weights note Products that are shipped have no weight: unweighed.',
  ]);
});
