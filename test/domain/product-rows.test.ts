import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readCsv } from '../../src/catalog/csv.js';
import { type ProductRow, readProductRows } from '../../src/catalog/product-rows.js';
import { textIn } from '../../src/domain/locale.js';

const row: ProductRow = {
  id: 'jabon-1',
  price: '45.50',
  image: '/products/jabon.jpg',
  category_es_mx: 'Jabones y más',
  name_es_mx: 'Jabón de avena',
  name_en: 'Oat soap',
  description_es_mx: 'Para toda la familia',
  image_alt_es_mx: 'Una pastilla',
};

describe('comma-separated text', () => {
  const texts = fc.array(fc.array(fc.string(), { minLength: 3, maxLength: 3 }), { maxLength: 5 });

  test('gives back whatever was written into it, quoted', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom('\n', '\r\n'), (rows, end) => {
        const lines = [['a', 'b', 'c'], ...rows].map((cells) =>
          cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','),
        );

        const kept = rows
          .map(([a = '', b = '', c = '']) => ({ a: a.trim(), b: b.trim(), c: c.trim() }))
          .filter((cells) => Object.values(cells).some((cell) => cell !== ''));
        expect(readCsv(lines.join(end))).toEqual(kept);
      }),
    );
  });

  test('may begin with a byte order mark, end with a line break, and lack cells', () => {
    expect(readCsv('\uFEFFId,Name\r\n1,"Mug, blue"\r\n2\r\n,\r\n')).toEqual([
      { id: '1', name: 'Mug, blue' },
      { id: '2', name: '' },
    ]);
  });

  test.each(['a,b\n"open,1', 'a,b\n"x"y,1', 'a\nx"y'])(
    'with a quote left open or out of place is none: %j',
    (text) => {
      expect(readCsv(text)).toBeUndefined();
    },
  );
});

describe('rows of products', () => {
  test('become goods, with shelves and addresses made of their names', () => {
    const reading = readProductRows([row, { ...row, id: 'jabon-2', slug: 'el-otro', name_en: '' }]);
    if (!reading.ok) throw new Error(reading.problems.join());
    const { categories, products } = reading.data;

    expect(categories).toEqual([{ id: 'jabones-y-mas', name: { 'es-MX': 'Jabones y más' } }]);
    expect(products.map(({ id, slug, price }) => [id, slug, price])).toEqual([
      ['jabon-1', 'jabon-de-avena', 4550],
      ['jabon-2', 'el-otro', 4550],
    ]);
    expect(products.map(({ name }) => textIn(name, 'en'))).toEqual(['Oat soap', 'Jabón de avena']);
  });

  const WRONG: readonly (readonly [string, string])[] = [
    ...(['id', 'price', 'image'] as const).map((name) => [name, ''] as const),
    ...(['category', 'name', 'description', 'image_alt'] as const).map(
      (name) => [`${name}_es_mx`, ''] as const,
    ),
    ...['0', '0.00', '-1', '1,500.00', '$45', '45.505', '1e3'].map((price) => ['price', price] as const),
    ...['https://cdn.example/a.jpg', 'products/a.jpg', '/a b.jpg'].map((image) => ['image', image] as const),
    ['id', 'a b'],
  ];

  test.each(WRONG)('with %s written %j are refused, by column and row', (name, value) => {
    const reading = readProductRows([row, { ...row, [name]: value }]);

    expect(reading).toEqual({ ok: false, problems: [expect.stringContaining(`row 3: ${name}`)] });
  });
});
