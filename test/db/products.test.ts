import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeProducts } from '../../src/db/product-changes.js';
import { PAGE_SIZE, searchProducts } from '../../src/db/products.js';
import { centavos } from '../../src/domain/money.js';
import type { Product } from '../../src/domain/product.js';
import { numbers } from '../support/crowd.js';
import { openTestDatabase, type TestDatabase } from '../support/test-database.js';

const both = (text: string) => ({ 'es-MX': text, en: text });
const soap: Product = {
  id: 'jabon-1',
  slug: 'jabon-de-avena',
  category: { id: 'jabones', name: both('Jabones') },
  price: centavos(4500),
  taxRate: '16',
  stock: 3,
  requiresShipping: true,
  visible: true,
  image: '/products/jabon.svg',
  claveProdServ: '53131608',
  claveUnidad: 'H87',
  name: both('Jabón de avena'),
  description: both('Para toda la familia'),
  imageAlt: both('Una pastilla'),
};
const hidden: Product = {
  ...soap,
  id: 'oculto',
  slug: 'oculto',
  category: { id: 'ocultos', name: both('Ocultos') },
  visible: false,
};
const candles = numbers(PAGE_SIZE + 1).map(
  (index): Product => ({
    ...soap,
    id: `vela-${index}`,
    slug: `vela-${index}`,
    category: { id: 'velas', name: both('Velas') },
    name: both(`Vela ${index}`),
  }),
);

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  const products = [soap, hidden, ...candles].map((product, position) => ({ product, position }));
  await writeProducts(database.db.queries, products, 1);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

test('a search finds words by prefix without accents, in the order of the catalog and page by page', async () => {
  const { queries } = database.db;

  const one = await searchProducts(queries, { text: 'JABONES familia' }, { page: 1, at: 1 });
  const other = await searchProducts(queries, { text: 'jabon', category: 'velas' }, { page: 1, at: 1 });
  const pages = [1, 2, 3].map((page) =>
    searchProducts(queries, { text: '', category: 'velas' }, { page, at: 1 }),
  );
  const found = (await Promise.all(pages)).map(({ products }) => products.map(({ id }) => id));

  expect(one).toEqual({ products: [{ ...soap, left: soap.stock }], count: 1 });
  expect(other).toEqual({ products: [], count: 0 });
  expect(found).toEqual([
    candles.slice(0, PAGE_SIZE).map(({ id }) => id),
    candles.slice(PAGE_SIZE).map(({ id }) => id),
    [],
  ]);
});
