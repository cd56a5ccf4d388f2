import { expect, test } from '@jest/globals';
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

test('any cells written as quoted CSV are read as the same cells without surrounding spaces', () => {
  const tables = fc.array(fc.tuple(fc.string(), fc.string(), fc.string()), { maxLength: 5 });
  fc.assert(
    fc.property(tables, fc.constantFrom('\n', '\r\n'), (rows, end) => {
      const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
      const lines = [['a', 'b', 'c'], ...rows].map((cells) => cells.map(quoted).join(','));

      const expected = rows
        .map(([a, b, c]) => ({ a: a.trim(), b: b.trim(), c: c.trim() }))
        .filter((cells) => Object.values(cells).some((cell) => cell !== ''));
      expect(readCsv(lines.join(end))).toEqual(expected);
    }),
  );
});

test('CSV may begin with a byte order mark, end with a line break, and have missing cells', () => {
  expect(readCsv('\uFEFFId,Name\r\n1,"Mug, blue"\r\n2\r\n,\r\n')).toEqual([
    { id: '1', name: 'Mug, blue' },
    { id: '2', name: '' },
  ]);
});

test.each(['a,b\n"open,1', 'a,b\n"x"y,1', 'a\nx"y'])('CSV with a misplaced quote is refused: %j', (text) => {
  expect(readCsv(text)).toBeUndefined();
});

test('product rows become products with categories and slugs made from their names', () => {
  const reading = readProductRows([row, { ...row, id: 'jabon-2', slug: 'el-otro', name_en: '' }]);
  if (!reading.ok) throw new Error(reading.problems.join());
  const { products } = reading;

  expect(products[0]?.category).toEqual({ id: 'jabones-y-mas', name: { 'es-MX': 'Jabones y más' } });
  expect(products.map(({ id, slug, price }) => [id, slug, price])).toEqual([
    ['jabon-1', 'jabon-de-avena', 4550],
    ['jabon-2', 'el-otro', 4550],
  ]);
  expect(products.map(({ name }) => textIn(name, 'en'))).toEqual(['Oat soap', 'Jabón de avena']);
});

test.each([
  ...['id', 'price', 'image', 'category_es_mx', 'name_es_mx', 'image_alt_es_mx'].map((name) => [name, '']),
  ...['0', '0.00', '-1', '1,500.00', '$45', '45.505', '1e3'].map((price) => ['price', price]),
  ...['https://cdn.example/a.jpg', 'products/a.jpg', '/a b.jpg'].map((image) => ['image', image]),
  ['id', 'a b'],
])('a product row with the %s %j is refused with its column and row', (name, value) => {
  const reading = readProductRows([row, { ...row, [name]: value }]);

  expect(reading).toEqual({ ok: false, problems: [expect.stringContaining(`row 3: ${name}`)] });
});
