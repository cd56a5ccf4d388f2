import { expect, test } from '@jest/globals';
import { cellsOf, productReader } from '../../src/catalog/product-cells.js';
import type { Product } from '../../src/domain/product.js';
import { sampleProducts } from '../support/sample-products.js';

const SOAP = {
  id: 'jabon-1',
  price: '45.50',
  image: '/products/jabon.jpg',
  name_es_mx: 'Jabón de avena',
  image_alt_es_mx: 'Una pastilla',
  category_es_mx: 'Jabones y más',
};
const readCells = productReader({ locale: 'es-MX', hasPicture: (path) => !path.includes('gone') });

test('the cells of a product are read as the same product', () => {
  for (const product of sampleProducts()) expect(readCells(cellsOf(product))).toEqual({ ok: true, product });
});

test.each<[string, string, (stored: Product) => unknown, unknown]>([
  ['price', '1,099.00', ({ price }) => price, 109_900],
  ['price', '1099.5', ({ price }) => price, 109_950],
  ['price', ' 289 ', ({ price }) => price, 28_900],
  ['stock', '0', ({ stock }) => stock, 0],
  ['stock', '1000000', ({ stock }) => stock, 1_000_000],
  ['stock', '', ({ stock }) => stock, null],
  ['tax_rate', 'Exempt', ({ taxRate }) => taxRate, 'exempt'],
  ['tax_rate', '0', ({ taxRate }) => taxRate, '0'],
  ['visible', 'No', ({ visible }) => visible, false],
  ['visible', 'Sí', ({ visible }) => visible, true],
  ['requires_shipping', '0', ({ requiresShipping }) => requiresShipping, false],
  ['clave_unidad', 'h87', ({ claveUnidad }) => claveUnidad, 'H87'],
  ['clave_prod_serv', '53131608', ({ claveProdServ }) => claveProdServ, '53131608'],
  [
    'description_es_mx',
    'Dos\r\nlíneas, "así"',
    ({ description }) => description['es-MX'],
    'Dos\nlíneas, "así"',
  ],
  ['name_en', 'Oat soap', ({ name }) => name.en, 'Oat soap'],
  ['slug', 'mi-jabon', ({ slug }) => slug, 'mi-jabon'],
])('the %s %j is read', (column, cell, read, value) => {
  const reading = readCells({ ...SOAP, [column]: cell });

  expect(reading.ok && read(reading.product)).toEqual(value);
});

test.each<[string, string, string]>([
  ...['', '0', '0.00', '-1', '1.099,00', '45,50', '$45', '45.505', '45.500', '1e3', '12,34.00', '１'].map(
    (cell): [string, string, string] => ['price', cell, 'is not'],
  ),
  ...['-1', '1e9', '1.5', '1000001', 'mucho'].map((cell): [string, string, string] => [
    'stock',
    cell,
    'is not a whole number',
  ]),
  ['tax_rate', '15', 'is none of 16, 8, 0, exempt'],
  ['visible', 'quizás', 'is neither yes nor no'],
  ['id', 'a b', 'is not 1 to 64 letters'],
  ['id', 'shipping', 'is reserved'],
  ['id', '', 'is not 1 to 64 letters'],
  ['slug', 'Mi Jabón', 'is not lower-case letters'],
  ['image', 'https://cdn.example/a.jpg', 'is not the path'],
  ['image', '/../secret.jpg', 'is not the path'],
  ['image', '/products/a.gif', 'is not the path'],
  ['image', '/products/gone.jpg', 'is no file below public/'],
  ['name_es_mx', '', 'is missing'],
  ['category_es_mx', '', 'is missing'],
  ['category_es_mx', '茶', 'has no letter'],
  ['image_alt_es_mx', ' ', 'is missing'],
  ['name_es_mx', 'x'.repeat(121), 'has more than 120 characters'],
  ['name_es_mx', 'dos\nlíneas', 'has a line break'],
  ['description_es_mx', 'a\u0007b', 'control character'],
  ...['=1+1', '+1', '-1', '@x', '\tx', ' =1', '＝1'].map((cell): [string, string, string] => [
    'description_es_mx',
    cell,
    'begins as a formula',
  ]),
  ['clave_prod_serv', '123', 'is not 8 digits'],
  ['clave_unidad', 'H-7', 'is not 1 to 3'],
])('the %s %j is refused', (column, cell, problem) => {
  const reading = readCells({ ...SOAP, [column]: cell });

  expect(reading).toEqual({ ok: false, problems: [{ column, text: expect.stringContaining(problem) }] });
});
