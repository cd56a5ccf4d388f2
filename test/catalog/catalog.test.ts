import { expect, test } from '@jest/globals';
import { createCatalog } from '../../src/catalog/catalog.js';
import { centavos } from '../../src/domain/money.js';
import type { Product } from '../../src/domain/product.js';

const both = (text: string) => ({ 'es-MX': text, en: text });
const categories = [
  { id: 'soap', name: both('Jabones') },
  { id: 'empty', name: both('Vacío') },
];
const soap: Product = {
  id: 'jabon-1',
  slug: 'jabon-de-avena',
  category: 'soap',
  price: centavos(4500),
  image: '/products/jabon.svg',
  name: both('Jabón de avena'),
  description: both('Para toda la familia'),
  imageAlt: both('Una pastilla'),
};

test('a catalog finds its products by id, slug, word and category, and has no empty category', () => {
  const catalog = createCatalog({ categories, products: [soap] });

  expect(catalog.products).toEqual([soap]);
  expect(catalog.findProduct('jabon-1')).toBe(soap);
  expect(catalog.findProductBySlug('jabon-de-avena')).toBe(soap);
  for (const id of ['taza-talavera', 'toString']) expect(catalog.findProduct(id)).toBeUndefined();
  expect(catalog.search({ text: 'jabones familia' })).toEqual([soap]);
  expect(catalog.categories.map(({ id }) => id)).toEqual(['soap']);
});

test.each<[string, readonly Product[], string]>([
  ['no products', [], 'it has no products'],
  ['a duplicate id', [soap, { ...soap, slug: 'otro' }], 'two products have the id jabon-1'],
  ['a duplicate slug', [soap, { ...soap, id: 'otro' }], 'two products have the slug jabon-de-avena'],
  ['an unknown category', [{ ...soap, category: 'soaps' }], 'product jabon-1 has the unknown category soaps'],
])('a catalog with %s is refused', (_what, products, problem) => {
  expect(() => createCatalog({ categories, products })).toThrow(problem);
});
