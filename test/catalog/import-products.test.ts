import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type ImportOptions, importProducts } from '../../src/catalog/import-products.js';
import { exportProducts } from '../../src/catalog/product-file.js';
import { findProductEvents, findStoredProduct } from '../../src/db/product-changes.js';
import { searchProducts } from '../../src/db/products.js';
import type { Locale } from '../../src/domain/locale.js';
import { openTestDatabase, type TestDatabase } from '../support/test-database.js';

const SOAP = {
  id: 'jabon-1',
  price: '45.50',
  stock: '',
  image: '/products/jabon.jpg',
  name_es_mx: 'Jabón de avena',
  description_es_mx: 'Suave, sin perfume',
  image_alt_es_mx: 'Una pastilla',
  category_es_mx: 'Jabones y más',
};
type Row = Readonly<Record<string, string>>;
const CANDLE: Row = { ...SOAP, id: 'vela-1', name_es_mx: 'Vela de soya', category_es_mx: 'Velas' };

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(async () => {
  await database[Symbol.asyncDispose]();
});

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

/** Returns the rows as CSV. The first row has all columns. */
function csv(rows: readonly Row[], separator = ','): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => columns.map((column) => quoted(row[column] ?? '')).join(separator));
  return [columns.join(separator), ...lines, ''].join('\r\n');
}

type Changes = Partial<ImportOptions>;

async function importText(text: string | Uint8Array, changes: Changes = {}) {
  const locale: Locale = changes.locale ?? 'es-MX';
  const options = { locale, hasPicture: (path: string) => !path.includes('gone'), at: 5, by: 'test' };
  return importProducts(database.db, Buffer.from(text), { ...options, ...changes });
}

const importRows = (rows: readonly Row[], changes: Changes = {}) => importText(csv(rows), changes);

async function storedProduct(id: string) {
  const stored = await findStoredProduct(database.db.queries, id);
  if (!stored) throw new Error(`no product ${id}`);
  return stored;
}

test('a new product has its values, defaults for absent columns, and a slug and category made from its texts', async () => {
  const result = await importRows([SOAP, { ...SOAP, id: 'jabon-2' }]);

  expect(result).toMatchObject({ ok: true, created: ['jabon-1', 'jabon-2'], changed: [], unchanged: 0 });
  expect(await storedProduct('jabon-1')).toEqual({
    product: {
      ...{ id: 'jabon-1', slug: 'jabon-de-avena', price: 4550, stock: null, taxRate: '16' },
      ...{ requiresShipping: true, visible: true, image: '/products/jabon.jpg' },
      ...{ claveProdServ: '', claveUnidad: '' },
      category: { id: 'jabones-y-mas', name: { 'es-MX': 'Jabones y más' } },
      name: { 'es-MX': 'Jabón de avena' },
      description: { 'es-MX': 'Suave, sin perfume' },
      imageAlt: { 'es-MX': 'Una pastilla' },
    },
    position: 1,
    version: 1,
  });
  expect((await storedProduct('jabon-2')).product.slug).toBe('jabon-de-avena-2');
});

test('a row with a problem is reported with row, column and shortened value, and the file changes nothing', async () => {
  const result = await importRows([CANDLE, { ...SOAP, name_es_mx: `=${'x'.repeat(100)}` }]);

  const value = `=${'x'.repeat(58)}…`;
  expect(result).toEqual({
    ok: false,
    problems: [`row 3, name_es_mx: "${value}" begins as a formula of a spreadsheet`],
  });
  expect(await findStoredProduct(database.db.queries, 'vela-1')).toBeUndefined();
});

const HEADING = Object.keys(SOAP).join();
const LINE = Object.values(SOAP).map(quoted).join();

test.each<[string, string | Uint8Array, string]>([
  ['is not UTF-8', Buffer.from(csv([SOAP]), 'latin1'), 'is not UTF-8'],
  ['has an open quote', `${HEADING}\n"`, 'is no CSV'],
  ['is empty', '', 'the file is empty'],
  ['has no rows', HEADING, 'has no products'],
  ['has an unknown column', csv([{ ...SOAP, colour: 'x' }]), 'column 9: "colour" is no known column'],
  [
    'lacks a column',
    csv([SOAP]).replace('category_es_mx', 'category_en'),
    'the column category_es_mx is missing',
  ],
  ['has a row with too few cells', `${HEADING}\n${LINE}\na,b\n`, 'row 3: has 2 cells instead of 8'],
])('a file that %s is refused', async (_what, content, problem) => {
  expect(await importText(content)).toEqual({ ok: false, problems: [expect.stringContaining(problem)] });
});

test('a file may have a byte order mark, semicolons, upper-case headings and empty rows', async () => {
  const text = csv([SOAP, CANDLE], ';').replace('\r\n', '\r\n;;;;;;;\r\n').replace('price', ' PRICE ');

  expect(await importText(`\ufeff${text}`)).toMatchObject({ ok: true, created: ['jabon-1', 'vela-1'] });
});

test('an export that is imported again changes nothing', async () => {
  const description = 'Dos líneas\ncon "comillas", comas; y = en medio';
  await importRows([
    { ...SOAP, description_es_mx: description, name_en: 'Soap', stock: '3', tax_rate: '0', visible: 'no' },
    CANDLE,
  ]);

  const exported = await exportProducts(database.db.queries);
  const again = await importText(exported, { stock: true, hideMissing: true });
  const requoted = await importText(exported.replaceAll('\r\n', '\n'), { stock: true });

  const unchanged = { ok: true, created: [], changed: [], unchanged: 2, hidden: [] };
  expect([again, requoted]).toEqual([unchanged, unchanged]);
  expect((await storedProduct('jabon-1')).version).toBe(1);
});

test('a changed row updates its product, increments the version and is recorded with the old and new cells', async () => {
  await importRows([{ ...SOAP, name_en: 'Soap' }, CANDLE]);

  const result = await importRows([{ ...SOAP, price: '50', name_es_mx: 'Jabón' }, CANDLE], { at: 9 });

  expect(result).toEqual({
    ...{ ok: true, created: [], unchanged: 1, hidden: [] },
    changed: [{ id: 'jabon-1', columns: ['price', 'name_es_mx'] }],
  });
  const { product, version } = await storedProduct('jabon-1');
  expect([product.price, product.name, product.slug, version]).toEqual([
    ...[5000, { 'es-MX': 'Jabón', en: 'Soap' }, 'jabon-de-avena', 2],
  ]);
  expect(await findProductEvents(database.db.queries, 'jabon-1', 5)).toMatchObject([
    { at: 9, by: 'test', kind: 'changed', detail: { price: ['45.50', '50.00'] } },
    { at: 5, by: 'test', kind: 'created', detail: {} },
  ]);
  expect(await findProductEvents(database.db.queries, 'vela-1', 5)).toHaveLength(1);
  expect((await searchProducts(database.db.queries, { text: 'avena' }, { page: 1, at: 5 })).count).toBe(0);
});

test('an existing product takes its stock from the file only with --stock', async () => {
  await importRows([{ ...SOAP, stock: '7' }]);

  const without = await importRows([{ ...SOAP, stock: '9' }]);
  const kept = (await storedProduct('jabon-1')).product.stock;
  await importRows([{ ...SOAP, stock: '9' }], { stock: true });

  expect([without, kept]).toEqual([expect.objectContaining({ unchanged: 1 }), 7]);
  expect((await storedProduct('jabon-1')).product.stock).toBe(9);
});

test('a product that the file does not have stays, or is hidden with --hide-missing', async () => {
  await importRows([SOAP, CANDLE]);

  const kept = await importRows([SOAP]);
  const hidden = await importRows([SOAP], { hideMissing: true });

  expect([kept, hidden]).toMatchObject([{ hidden: [] }, { hidden: ['vela-1'], unchanged: 1 }]);
  expect((await storedProduct('vela-1')).product.visible).toBe(false);
  expect(await findProductEvents(database.db.queries, 'vela-1', 1)).toMatchObject([
    { kind: 'changed', detail: { visible: ['yes', 'no'] } },
  ]);
});

test('a dry run reports the changes and writes nothing', async () => {
  await importRows([SOAP]);

  const result = await importRows([{ ...SOAP, price: '1' }, CANDLE], { dryRun: true });

  expect(result).toMatchObject({ created: ['vela-1'], changed: [{ id: 'jabon-1', columns: ['price'] }] });
  expect((await storedProduct('jabon-1')).product.price).toBe(4550);
  expect(await findStoredProduct(database.db.queries, 'vela-1')).toBeUndefined();
});

test('the slug of a product cannot change, and no product takes the slug of another', async () => {
  await importRows([{ ...SOAP, slug: 'jabon' }]);

  const renamed = await importRows([{ ...SOAP, slug: 'otro' }]);
  const taken = await importRows([{ ...CANDLE, slug: 'jabon' }]);
  const made = await importRows([{ ...CANDLE, name_es_mx: 'Jabón' }]);

  expect(renamed).toMatchObject({
    problems: ['row 2, slug: "otro" cannot change: the slug of this product is "jabon"'],
  });
  expect(taken).toMatchObject({
    problems: ['row 2, slug: "jabon" is also the slug of the product "jabon-1"'],
  });
  expect([made.ok, (await storedProduct('vela-1')).product.slug]).toEqual([true, 'jabon-2']);
});

test('the required texts are those of the first locale', async () => {
  const texts = { name_en: 'Soap', image_alt_en: 'A bar', category_en: 'Soaps' };
  const { id, price, image } = SOAP;

  const result = await importRows([{ id, price, image, ...texts }], { locale: 'en' });

  expect(result).toMatchObject({ ok: true });
  expect((await storedProduct('jabon-1')).product).toMatchObject({ slug: 'soap', category: { id: 'soaps' } });
});

test('two imports at the same time give the catalog of one of them', async () => {
  const other = database.openAgain();
  const rows = Array.from({ length: 60 }, (_, index) => ({ ...SOAP, id: `jabon-${index}` }));
  const options: ImportOptions = { locale: 'es-MX', hasPicture: () => true, at: 5, by: 'test' };

  const results = await Promise.all(
    [database.db, other].map((db) => importProducts(db, Buffer.from(csv(rows)), options)),
  );

  const created = results.map((result) => (result.ok ? result.created.length : -1));
  expect(created.toSorted((a, b) => a - b)).toEqual([0, 60]);
  expect((await searchProducts(database.db.queries, { text: '' }, { page: 1, at: 5 })).count).toBe(60);
});
