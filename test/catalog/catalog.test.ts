import { describe, expect, test } from '@jest/globals';
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

describe('a catalog', () => {
  test('finds its products by id, slug, word and category', () => {
    const catalog = createCatalog({ categories, products: [soap] });

    expect(catalog.products).toEqual([soap]);
    expect(catalog.findProduct('jabon-1')).toBe(soap);
    expect(catalog.findProductBySlug('jabon-de-avena')).toBe(soap);
    expect(catalog.findProduct('taza-talavera')).toBeUndefined();
    expect(catalog.search({ text: 'jabones familia' })).toEqual([soap]);
    expect(catalog.categories.map(({ id }) => id)).toEqual(['soap']);
  });

  const WRONG: readonly (readonly [string, readonly Product[], string])[] = [
    ['no products', [], 'it has no products'],
    ['an id twice', [soap, { ...soap, slug: 'otro' }], 'two products have the id jabon-1'],
    ['a slug twice', [soap, { ...soap, id: 'otro' }], 'two products have the slug jabon-de-avena'],
    [
      'an unknown category',
      [{ ...soap, category: 'soaps' }],
      'product jabon-1 has the unknown category soaps',
    ],
  ];

  test.each(WRONG)('a catalog with %s is refused', (_, products, problem) => {
    expect(() => createCatalog({ categories, products })).toThrow(problem);
  });
});
