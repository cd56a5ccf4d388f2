import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { importSampleCatalog } from '../../src/catalog/import-products.js';
import { findAllProducts } from '../../src/db/product-changes.js';
import { projectRoot } from '../../src/project-root.js';
import { sampleProducts } from '../support/sample-products.js';
import { openTestDatabase } from '../support/test-database.js';

const FILE = join(projectRoot, 'sample/products.csv');
const options = { at: 1, locale: 'es-MX', hasPicture: () => true } as const;

test('two processes that start at the same time import the sample catalog once', async () => {
  await using database = await openTestDatabase();
  const other = database.openAgain();

  await Promise.all([database.db, other].map((db) => importSampleCatalog(db, FILE, options)));

  const products = await findAllProducts(database.db.queries);
  const events = await database.db.queries.selectFrom('productEvents').selectAll().execute();
  expect([products.length, products.at(-1)?.position, events.length]).toEqual(
    Array(3).fill(sampleProducts().length),
  );
});

test('the sample catalog is not imported into a catalog that has a product', async () => {
  await using database = await openTestDatabase();
  const { queries } = database.db;
  await importSampleCatalog(database.db, FILE, options);
  await queries.deleteFrom('productEvents').execute();
  await queries.deleteFrom('products').where('id', '<>', 'taza-talavera').execute();

  await importSampleCatalog(database.db, FILE, options);

  expect(await findAllProducts(queries)).toHaveLength(1);
});
