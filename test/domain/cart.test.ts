import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createCatalog } from '../../src/catalog/catalog.js';
import * as sample from '../../src/catalog/sample-products.js';
import {
  type CartLine,
  freezeLines,
  MAX_LINES,
  MAX_QUANTITY,
  priceCart,
  readQuantity,
} from '../../src/domain/cart.js';
import { LOCALES, textIn } from '../../src/domain/locale.js';
import { centavos } from '../../src/domain/money.js';

const catalog = createCatalog(sample);
const { products } = catalog;
const quantity = fc.integer({ min: 1, max: MAX_QUANTITY });
const known = fc.record({ productId: fc.constantFrom(...products.map(({ id }) => id)), quantity });
const anyCart = fc
  .uniqueArray(known, { selector: ({ productId }) => productId, maxLength: MAX_LINES })
  .map((lines) => lines.map((line): CartLine => ({ ...line, seenPrice: centavos(100) })));

describe('a quantity as typed', () => {
  test.each(
    [
      [
        '-1',
        '0.1',
        '1e3',
        '1e309',
        'NaN',
        '0x10',
        ' 5',
        '5 ',
        '+5',
        '٥',
        '５',
        '5;5',
        '',
        '100',
        '2147483648',
      ],
      [
        '9007199254740993',
        '5\n',
        '1.0',
        '5,0',
        'five',
        '\u00005',
        '5\u0000',
        '²',
        'Ⅴ',
        '000',
        '1'.repeat(10_000),
      ],
    ].flat(),
  )('%j is refused', (raw) => {
    expect(readQuantity(raw, 0)).toBeUndefined();
    expect(readQuantity(raw, 1)).toBeUndefined();
  });

  test.each<unknown>([5, 0, null, undefined, true, ['5'], ['5', '5'], { value: '5' }, 2 ** 31, 5n])(
    'what is not a text is refused: %p',
    (raw) => {
      expect(readQuantity(raw, 0)).toBeUndefined();
    },
  );

  test.each([
    ['1', 1],
    ['05', 5],
    ['99', 99],
  ])('%s is read as it stands', (raw, value) => {
    expect(readQuantity(raw, 0)).toBe(value);
    expect(readQuantity(raw, 1)).toBe(value);
  });

  test('zero is read only where it takes a line away', () => {
    expect(readQuantity('0', 0)).toBe(0);
    expect(readQuantity('0', 1)).toBeUndefined();
  });
});

describe('a cart at today’s prices', () => {
  test('the total is the sum of its lines, each price times quantity', () => {
    fc.assert(
      fc.property(anyCart, (lines) => {
        const priced = priceCart(catalog, { lines });

        const total = priced.lines.reduce(
          (all, line) => all + BigInt(line.unitPrice) * BigInt(line.quantity),
          0n,
        );
        expect(BigInt(priced.total)).toBe(total);
        expect(Number.isSafeInteger(priced.total) && priced.total >= 0).toBe(true);
        expect(priced.lines.every((line) => line.lineTotal === line.unitPrice * line.quantity)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('what an order keeps of it adds up to the same total, in either language', () => {
    fc.assert(
      fc.property(anyCart, fc.constantFrom(...LOCALES), (lines, locale) => {
        const priced = priceCart(catalog, { lines });

        const frozen = freezeLines(priced, locale);

        expect(frozen.reduce((all, line) => all + line.unitPrice * line.quantity, 0)).toBe(priced.total);
        expect(frozen.map((line) => line.name)).toEqual(
          lines.map(({ productId }) =>
            textIn(catalog.findProduct(productId)?.name ?? { 'es-MX': '' }, locale),
          ),
        );
        expect(frozen.map(({ productId, quantity: many }) => [productId, many])).toEqual(
          lines.map((line) => [line.productId, line.quantity]),
        );
      }),
    );
  });

  test('no client-seen price is ever charged: a line is repriced and said to be', () => {
    const [product] = products;
    if (!product) throw new Error('the catalog is empty');

    const priced = priceCart(catalog, {
      lines: [{ productId: product.id, quantity: 2, seenPrice: centavos(1) }],
    });

    expect(priced.total).toBe(product.price * 2);
    expect(priced.repriced).toEqual([{ product, from: 1, to: product.price }]);
  });

  test('a product no longer on sale is named and costs nothing', () => {
    const lines = ['gone', '__proto__', 'constructor', ''].map((productId) => ({
      productId,
      quantity: 1,
      seenPrice: centavos(5),
    }));

    const priced = priceCart(catalog, { lines });

    expect(priced).toEqual({
      lines: [],
      total: 0,
      repriced: [],
      withdrawn: ['gone', '__proto__', 'constructor', ''],
    });
  });

  test('the fullest and dearest cart stays below what the gateway takes', () => {
    const dearest = [...products].sort((a, b) => b.price - a.price).slice(0, MAX_LINES);
    const lines = dearest.map(({ id, price }) => ({
      productId: id,
      quantity: MAX_QUANTITY,
      seenPrice: price,
    }));

    expect(priceCart(catalog, { lines }).total).toBeLessThanOrEqual(1_500_000_000);
  });
});

describe('the catalog', () => {
  test('has ids, slugs and pictures of its own for every product', () => {
    for (const member of ['id', 'slug', 'image'] as const) {
      expect(new Set(products.map((product) => product[member])).size).toBe(products.length);
    }
  });

  test('names and describes every product in every language, at a price above zero', () => {
    for (const product of products) {
      const texts = LOCALES.flatMap((locale) => [
        textIn(product.name, locale),
        textIn(product.description, locale),
        textIn(product.imageAlt, locale),
      ]);
      expect(texts.every((text) => text.trim() !== '')).toBe(true);
      expect(product.price).toBeGreaterThan(0);
      expect(product.slug).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    }
  });

  test('finds a product by id and by slug, and nothing else', () => {
    for (const product of products) {
      expect(catalog.findProduct(product.id)).toBe(product);
      expect(catalog.findProductBySlug(product.slug)).toBe(product);
    }
    expect(catalog.findProduct('toString')).toBeUndefined();
    expect(catalog.findProductBySlug('../taza-de-talavera')).toBeUndefined();
  });
});
