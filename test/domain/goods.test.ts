import { afterEach, describe, expect, test } from '@jest/globals';
import {
  allCategories,
  allProducts,
  findProduct,
  findProductBySlug,
  type Product,
  searchProducts,
  sell,
} from '../../src/domain/catalogue.js';
import { centavos } from '../../src/domain/money.js';

const sample = { categories: allCategories(), products: allProducts() };
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

afterEach(() => sell(sample));

describe('goods of one’s own', () => {
  test('take the place of all others, wherever goods are asked for', () => {
    const [former] = sample.products;

    sell({ categories, products: [soap] });

    expect(allProducts()).toEqual([soap]);
    expect(findProduct('jabon-1')).toBe(soap);
    expect(findProductBySlug('jabon-de-avena')).toBe(soap);
    expect(findProduct(former?.id ?? '')).toBeUndefined();
    expect(searchProducts({ text: 'jabones familia' })).toEqual([soap]);
    expect(allCategories().map(({ id }) => id)).toEqual(['soap']);
  });

  const WRONG: readonly (readonly [string, readonly Product[], string])[] = [
    ['nothing at all', [], 'there are none'],
    ['an id twice', [soap, { ...soap, slug: 'otro' }], 'two have the id jabon-1'],
    ['a slug twice', [soap, { ...soap, id: 'otro' }], 'two have the slug jabon-de-avena'],
    ['no such shelf', [{ ...soap, category: 'soaps' }], 'jabon-1 stands on no shelf: soaps'],
  ];

  test.each(WRONG)('with %s are refused, and the former stay on sale', (_, products, problem) => {
    expect(() => sell({ categories, products })).toThrow(problem);

    expect(allProducts()).toBe(sample.products);
  });
});
