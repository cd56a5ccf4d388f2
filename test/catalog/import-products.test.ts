import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { problemText } from '../../src/catalog/file-problems.js';
import { importProducts, importSampleCatalog } from '../../src/catalog/import-products.js';
import { type ImportOptions, planImport } from '../../src/catalog/plan-import.js';
import { COLUMNS, productReader } from '../../src/catalog/product-cells.js';
import { exportProducts } from '../../src/catalog/product-file.js';
import {
  findAllProducts,
  findProductEvents,
  findStoredProduct,
  writeProducts,
} from '../../src/tables/product-changes.js';
import { searchProducts } from '../../src/tables/search-products.js';
import { CATALOG_FILE, testProducts, withoutOwnColumns } from '../support/catalog.js';
import { inEnglish } from '../support/locales.js';
import { openSharedDatabase } from '../support/test-database.js';

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
const { id: _id, stock: _stock, ...REQUIRED } = SOAP;
type Row = Readonly<Record<string, string>>;
const CANDLE: Row = { ...SOAP, id: 'vela-1', name_es_mx: 'Vela de soya', category_es_mx: 'Velas' };

const { db, queries, openAgain } = await openSharedDatabase();

/** Returns the rows as CSV. The first row has all columns. */
const csv = (rows: readonly Row[], delimiter = ',') =>
  stringify([...rows], { header: true, delimiter, record_delimiter: '\r\n' });

type Changes = Partial<ImportOptions> & { readonly dryRun?: boolean };
const OPTIONS: ImportOptions = { locale: 'es-MX', hasPicture: () => true, at: 5, by: 'test' };

/** Returns each change as kind, id and changed columns. */
const importText = async (text: string | Uint8Array, options: Changes = {}) => {
  const all = { ...OPTIONS, ...options };
  const file = Buffer.from(text);
  const result = await (options.dryRun ? planImport(queries, file, all) : importProducts(db, file, all));
  if (!result.ok) return { ok: false, problems: result.problems.map(problemText) };
  const changes = result.changes.map(({ kind, product, detail }) =>
    [kind, product.id, ...Object.keys(detail)].join(' '),
  );
  return { ...result, changes };
};

const importRows = (rows: readonly Row[], changes: Changes = {}) => importText(csv(rows), changes);

async function storedProduct(id: string) {
  const stored = await findStoredProduct(queries, id);
  if (!stored) throw new Error(`no product ${id}`);
  return { ...stored, product: withoutOwnColumns(stored.product) };
}

test('a new product has its values, defaults for absent columns, and a slug and category made from its texts', async () => {
  const result = await importRows([SOAP, { ...SOAP, id: 'jabon-2' }]);

  expect(result).toMatchObject({ ok: true, changes: ['created jabon-1', 'created jabon-2'], unchanged: 0 });
  expect(await storedProduct('jabon-1')).toEqual({
    product: {
      ...{ id: 'jabon-1', slug: 'jabon-de-avena', price: 4550, priceBefore: null, weight: null, stock: null },
      ...{ taxRate: '16', requiresShipping: true, visible: true, featured: false, image: '/products/jabon.jpg' },
      ...{ claveProdServ: '', claveUnidad: '', variantOf: null, variantAttribute: null },
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
    problems: [`row 3, name_es_mx: "${value}" begins like a spreadsheet formula`],
  });
  expect(await findStoredProduct(queries, 'vela-1')).toBeUndefined();
});

const HEADING = Object.keys(SOAP).join();

test.each<[string, string | Uint8Array, string | RegExp]>([
  ['is not UTF-8', Buffer.from(csv([SOAP]), 'latin1'), 'is not UTF-8'],
  ['has an open quote', `${HEADING}\n"`, 'is not valid CSV'],
  ['is empty', '', 'The file is empty.'],
  ['has no rows', HEADING, 'has no products'],
  ['has an unknown column', csv([{ ...SOAP, colour: 'x' }]), 'column 9: "colour" is not a known column'],
  ['lacks a column', csv([SOAP]).replace('image,', 'clave_unidad,'), 'The column image is missing.'],
  [
    'has a row without required cells',
    `${csv([SOAP])}vela-1,289.00\r\n`,
    /^row 3, \w+: is missing, because the row has 2 cells instead of 8$/,
  ],
  ['has 201 cells in a row', `${HEADING}\n${','.repeat(200)}`, 'A row of the file has more than 200 cells'],
  ['has millions of cells in a row', ','.repeat(4_000_000), 'A row of the file has more than 200 cells'],
  ['has 50,001 rows', `${HEADING}\n${'a\n'.repeat(50_001)}`, 'The file has more than 50000 rows'],
  ['has millions of line breaks', '\r\n'.repeat(2_000_000), 'The file has more than 50000 rows'],
  ['has 2,010,000 cells', `${HEADING}\n${`${','.repeat(199)}\n`.repeat(10_050)}`, 'more than 2000000 cells'],
])('a file that %s is refused', async (_what, content, problem) => {
  expect(await importText(content)).toEqual({ ok: false, problems: [expect.stringMatching(problem)] });
});

test.each([
  ['row lacks cells', 'vela,289.00\n'],
  ['price is no amount', `${Object.values({ ...SOAP, price: 'x' }).join()}\n`],
])('a file of which every %s is read up to the 1,000th problem', async (_what, row) => {
  const result = await importText(`${HEADING}\n${row.repeat(20_000)}`);

  expect(result).toMatchObject({ ok: false, problems: { length: 1_000 } });
});

test('a row may end before its empty optional cells, as some spreadsheets write it', async () => {
  const { stock: _, ...candle } = CANDLE;
  const rows = [
    { ...REQUIRED, id: 'jabon-1', description_es_mx: '', stock: '' },
    { ...candle, description_es_mx: 'Arde.', stock: '' },
  ];
  await importRows([{ ...SOAP, description_es_mx: 'Suave.', stock: '4' }]);

  const result = await importText(csv(rows).replaceAll(/,+(?=\r\n)/g, ''), { stock: true });

  expect(result).toMatchObject({ ok: true, changes: ['changed jabon-1 stock description_es_mx', 'created vela-1'] });
  expect((await storedProduct('jabon-1')).product).toMatchObject({ stock: null, name: { 'es-MX': SOAP.name_es_mx } });
});

test('texts in a language that the shop does not have are ignored, and a shorter name of its own language is refused', async () => {
  const french = { name_fr: 'Savon', image_alt_pt_br: 'Uma barra' };

  expect(await importText(csv([{ ...french, ...SOAP }]))).toMatchObject({ ok: true, changes: ['created jabon-1'] });
  expect((await storedProduct('jabon-1')).product.name).toEqual({ 'es-MX': SOAP.name_es_mx });
  expect(await importText(csv([{ ...SOAP, description_es: 'x' }]))).toMatchObject({ ok: false });
});

test('a file may have a byte order mark, semicolons, upper-case headings and empty rows', async () => {
  const text = csv([SOAP, CANDLE], ';').replace('\r\n', '\r\n;;;;;;;\r\n').replace('price', ' PRICE ');

  expect(await importText(`\ufeff${text}`)).toMatchObject({
    ok: true,
    changes: ['created jabon-1', 'created vela-1'],
  });
});

test('an export that is imported again changes nothing', async () => {
  const description = 'Dos líneas\ncon "comillas", comas; y = en medio';
  await importRows([
    {
      ...SOAP,
      description_es_mx: description,
      ...inEnglish({ name_en: 'Soap' }),
      price_before: '60',
      stock: '3',
      tax_rate: '0',
      visible: 'no',
      featured: 'sí',
    },
    CANDLE,
  ]);

  const exported = await exportProducts(queries);
  const again = await importText(exported, { stock: true, hideMissing: true });
  const requoted = await importText(exported.replaceAll('\r\n', '\n'), { stock: true });

  const unchanged = { ok: true, changes: [], unchanged: 2, otherStock: 0 };
  expect([again, requoted]).toMatchObject([unchanged, unchanged]);
  expect((await storedProduct('jabon-1')).version).toBe(1);
});

/** Reads a file as a spreadsheet does, which begins a row at each line break outside of quotes. */
const spreadsheetRows = (text: string) =>
  parse(text, { bom: true, record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true });

const PIECES = ['a', 'Ñ', ' ', '\u00a0', '"', "'", '""', ',', ';', '=', '+', '-', '@', '😀', '—', 'sep=;'];
const LINE_BREAKS = ['\n', '\r\n', '\r', '\u0085', '\u2028', '\u2029', '\v', '\f', '\n\n'];
const textOf = (pieces: readonly string[]) => fc.string({ unit: fc.constantFrom(...pieces), maxLength: 12 });

test('case 173: a product with any text that it may have is one row of the exported file, and an import of the file changes nothing', async () => {
  const products = fc
    .record({
      name_es_mx: textOf(PIECES),
      description_es_mx: textOf([...PIECES, ...LINE_BREAKS]),
      image_alt_es_mx: textOf(PIECES).map((text) => `a${text}`),
      description_en: textOf([...PIECES, ...LINE_BREAKS]).map((text) => `a${text}`),
    })
    .map((texts) => readCells({ ...SOAP, ...texts }))
    .filter((reading) => reading.ok);
  await fc.assert(
    fc.asyncProperty(fc.array(products, { minLength: 4, maxLength: 4 }), async (readings) => {
      const rows = readings.map(({ product }, index) => {
        const id = `p-${index}`;
        return { product: { ...product, id, slug: id }, position: index };
      });
      await writeProducts(queries, rows, 5);

      const exported = await exportProducts(queries);

      const [heading, ...cells] = spreadsheetRows(exported);
      expect(heading).toEqual(COLUMNS);
      expect(cells.map(({ length }) => length)).toEqual(rows.map(() => COLUMNS.length));
      expect(await importText(exported)).toMatchObject({ ok: true, changes: [], unchanged: rows.length });
    }),
    { numRuns: 60 },
  );
});

test.each(LINE_BREAKS)('the line break %j of a description is stored as a line feed', (lineBreak) => {
  const reading = readCells({ ...SOAP, description_es_mx: `uno${lineBreak}dos${lineBreak}` });

  const lines = lineBreak === '\n\n' ? 'uno\n\ndos' : 'uno\ndos';
  expect(reading).toMatchObject({ product: { description: { 'es-MX': lines } } });
});

test.each<[string, (text: string) => string]>([
  ['a line with its separator', (text) => `sep=;\r\n${text.replaceAll(',', ';')}`],
  ['a quoted line with a tab', (text) => `"sep=\t"\r\n${text.replaceAll(',', '\t')}`],
  ['empty columns at the end', (text) => text.replaceAll('\r\n', ',,,\r\n')],
  ['an empty column at the beginning', (text) => text.replaceAll(/^(?=.)/gm, ',')],
  ['empty rows before, between and after', (text) => `,,\r\n\r\n${text.replaceAll('\r\n', '\r\n , ,\r\n')}`],
  ['invisible characters and typographic hyphens', (text) => text.replaceAll('-', '\u2011').replaceAll('i', '\u00adi')],
])('case 174: a file with %s is read without them', async (_what, change) => {
  const soap = { ...SOAP, description_es_mx: 'Suave', image_alt_es_mx: 'Una pastilla' };

  expect(await importText(change(csv([soap])))).toMatchObject({ ok: true, changes: ['created jabon-1'] });
  expect(await storedProduct('jabon-1')).toMatchObject({ product: { name: { 'es-MX': 'Jabón de avena' } } });
});

test('a column with cells and without a name, and a cell beyond the last column, are reported with their place', async () => {
  const [heading = '', row = ''] = csv([SOAP]).split('\r\n');

  expect(await importText(`${heading},\r\n${row},x\r\n`)).toEqual({
    ok: false,
    problems: ['column 9: has cells but no name'],
  });
  expect(await importText(`${heading}\r\n${row},x\r\n`)).toEqual({
    ok: false,
    problems: ['row 2: has 9 cells instead of 8'],
  });
});

test('a changed row updates its product, increments the version and is recorded with the old and new cells', async () => {
  await importRows([{ ...SOAP, ...inEnglish({ name_en: 'Soap' }) }, CANDLE]);

  const result = await importRows([{ ...SOAP, price: '50', name_es_mx: 'Jabón' }, CANDLE], { at: 9 });

  expect(result).toMatchObject({ ok: true, changes: ['changed jabon-1 price name_es_mx'], unchanged: 1 });
  const { product, version } = await storedProduct('jabon-1');
  expect([product.price, product.name, product.slug, version]).toEqual([
    ...[5000, { 'es-MX': 'Jabón', ...inEnglish({ en: 'Soap' }) }, 'jabon-de-avena', 2],
  ]);
  expect(await findProductEvents(queries, 'jabon-1', 5)).toMatchObject([
    { at: 9, by: 'test', kind: 'changed', detail: { price: ['45.50', '50.00'] } },
    { at: 5, by: 'test', kind: 'created', detail: {} },
  ]);
  expect(await findProductEvents(queries, 'vela-1', 5)).toHaveLength(1);
  expect((await searchProducts(queries, { text: 'avena' }, { page: 1, at: 5 })).count).toBe(0);
});

test('a file without the column price_before leaves a sale, and ends it with a price that is not below the price before', async () => {
  await importRows([SOAP]);
  await importRows([{ ...SOAP, price_before: '60.00' }]);

  const cheaper = await importRows([{ ...SOAP, price: '40' }]);
  const { product } = await storedProduct('jabon-1');
  const refused = await importRows([{ ...SOAP, price: '60', price_before: '60' }]);
  const planned = await importRows([{ ...SOAP, price: '60' }], { dryRun: true });
  const ended = await importRows([{ ...SOAP, price: '60' }]);

  expect(cheaper).toMatchObject({ changes: ['changed jabon-1 price'] });
  expect(product).toMatchObject({ price: 4000, priceBefore: 6000 });
  expect(refused).toEqual({ ok: false, problems: ['row 2, price_before: "60" is not above the price'] });
  expect([planned, ended]).toMatchObject(Array(2).fill({ changes: ['changed jabon-1 price price_before'] }));
  expect((await storedProduct('jabon-1')).product).toMatchObject({ price: 6000, priceBefore: null });
  const [event] = await findProductEvents(queries, 'jabon-1', 1);
  expect(event?.detail).toEqual({ price: ['40.00', '60.00'], price_before: ['60.00', ''] });
});

test('a weight survives an export and an import, stays without its column, and an empty cell removes it', async () => {
  await importRows([{ ...SOAP, weight_g: '350' }]);
  const exported = await exportProducts(queries);
  const results = [await importText(exported, { stock: true }), await importRows([SOAP])];
  const { product } = await storedProduct('jabon-1');
  const emptied = await importRows([{ ...SOAP, weight_g: '' }]);

  expect(results).toMatchObject(Array(2).fill({ changes: [], unchanged: 1 }));
  expect(product.weight).toBe(350);
  expect(emptied).toMatchObject({ changes: ['changed jabon-1 weight_g'] });
  expect((await storedProduct('jabon-1')).product.weight).toBeNull();
});

test('a group of variants survives an export and an import', async () => {
  await importRows([
    {
      ...SOAP,
      id: 'vela-2',
      variant_of: 'vela-1',
      variant_es_mx: 'chica',
      ...inEnglish({ variant_en: 'small', name_en: 'Candle' }),
    },
    { ...CANDLE, variant_of: '', variant_es_mx: 'grande', ...inEnglish({ variant_en: '', name_en: '' }) },
  ]);
  const { product } = await storedProduct('vela-2');
  const again = await importText(await exportProducts(queries), { stock: true });
  const { variant_of, ...withoutColumn } = { ...SOAP, id: 'vela-2', variant_of: '', name_es_mx: 'Vela' };
  const renamed = await importRows([withoutColumn]);

  expect([again, renamed]).toMatchObject([{ changes: [], unchanged: 2 }, { changes: ['changed vela-2 name_es_mx'] }]);
  expect(product).toMatchObject({
    variantOf: 'vela-1',
    name: { 'es-MX': 'Jabón de avena, chica', ...inEnglish({ en: 'Candle, small' }) },
  });
  expect((await storedProduct('vela-2')).product).toMatchObject({ variantOf: 'vela-1', slug: 'jabon-de-avena-chica' });
});

test('an existing product takes its stock from the file only with --stock, and otherwise the difference is counted', async () => {
  await importRows([{ ...SOAP, stock: '7' }, CANDLE]);

  const results = [];
  for (const stock of [false, true]) {
    const result = await importRows([{ ...SOAP, stock: '9' }, CANDLE], { stock });
    results.push([result, (await storedProduct('jabon-1')).product.stock]);
  }
  const withoutColumn = await importRows([{ id: 'jabon-1', ...REQUIRED }]);

  expect(results).toMatchObject([
    [{ changes: [], unchanged: 2, otherStock: 1 }, 7],
    [{ changes: ['changed jabon-1 stock'], unchanged: 1, otherStock: 0 }, 9],
  ]);
  expect(withoutColumn).toMatchObject({ otherStock: 0 });
});

test.each<readonly [what: string, rows: readonly Row[], problems: readonly string[]]>([
  ['without a main product', [{ id: 'a', variant_of: 'b' }], ['row 2, variant_of: "b" is not the id of a product']],
  ['of itself', [{ id: 'a', variant_of: 'a' }], ['row 2, variant_of: "a" is the product itself']],
  [
    'of a variant',
    [{ id: 'a', variant_of: 'b' }, { id: 'b', variant_of: 'c' }, { id: 'c' }],
    [
      'row 2, variant_of: "b" is itself a variant of "c"',
      'row 3, variant_of: "c" is set, but this product has variants of its own',
    ],
  ],
  [
    'whose main product has no variant text',
    [
      { id: 'a', variant_of: 'b' },
      { id: 'b', variant_es_mx: '' },
    ],
    ['row 2, variant_of: "b" has no variant_es_mx', 'row 3, variant_es_mx: is missing in a group of variants'],
  ],
  [
    'without variant text',
    [{ id: 'a', variant_of: 'b', variant_es_mx: '' }, { id: 'b' }],
    ['row 2, variant_es_mx: is missing in a group of variants'],
  ],
  ['of a stored product without variant text', [{ id: 'a', variant_of: 'vela-1' }], ['has no variant_es_mx']],
  [
    'that gets a variant',
    [
      { id: 'jabon-2', variant_of: '' },
      { id: 'a', variant_of: 'jabon-1' },
    ],
    [],
  ],
  ['that becomes a variant', [{ id: 'jabon-1', variant_of: 'a' }, { id: 'a' }], ['has variants of its own']],
])('a variant %s is refused at its row, and nothing is imported', async (_what, rows, problems) => {
  const soaps = [
    { ...SOAP, variant_of: '', variant_es_mx: '1' },
    { ...SOAP, id: 'jabon-2', variant_of: 'jabon-1', variant_es_mx: '2' },
  ];
  await importRows([...soaps, { ...CANDLE, variant_of: '', variant_es_mx: '' }]);

  const result = await importRows(rows.map((row) => ({ ...SOAP, variant_of: '', variant_es_mx: 'x', ...row })));

  if (problems.length === 0) expect(result).toMatchObject({ ok: true });
  else expect(result).toEqual({ ok: false, problems: problems.map((text) => expect.stringContaining(text)) });
  expect((await findStoredProduct(queries, 'a')) === undefined).toBe(problems.length > 0);
});

test('an invalid stock of an existing product is refused without --stock, too', async () => {
  await importRows([{ ...SOAP, stock: '7' }]);

  const result = await importRows([{ ...SOAP, stock: 'muchas' }]);

  expect(result).toEqual({
    ok: false,
    problems: [expect.stringContaining('row 2, stock: "muchas" is not a whole number')],
  });
});

test.each<[string, () => Promise<unknown>, number]>([
  ['a sale', () => queries.updateTable('products').set({ stock: 9 }).execute(), 9],
  ['another import', () => importRows([CANDLE, { ...SOAP, stock: '8' }], { stock: true }), 8],
])('%s between the planning and the lock of an import is not undone', async (_what, change, stock) => {
  await importRows([{ ...SOAP, stock: '10' }]);
  const interrupted: typeof db = {
    ...db,
    async transaction(work, limits) {
      await change();
      return db.transaction(work, limits);
    },
  };

  const result = await importProducts(interrupted, Buffer.from(csv([{ ...SOAP, price: '50' }])), OPTIONS);

  expect(result.ok).toBe(true);
  expect((await storedProduct('jabon-1')).product).toMatchObject({ stock, price: 5000 });
});

test('a product that the file does not have stays, or is hidden with --hide-missing', async () => {
  await importRows([SOAP, CANDLE]);

  const kept = await importRows([SOAP]);
  const hidden = await importRows([SOAP], { hideMissing: true });

  expect([kept, hidden]).toMatchObject([{ changes: [] }, { changes: ['hidden vela-1 visible'], unchanged: 1 }]);
  expect((await storedProduct('vela-1')).product.visible).toBe(false);
});

test('a dry run reports the changes and writes nothing', async () => {
  await importRows([SOAP]);

  const result = await importRows([{ ...SOAP, price: '1' }, CANDLE], { dryRun: true });

  expect(result).toMatchObject({ changes: ['changed jabon-1 price', 'created vela-1'] });
  expect((await storedProduct('jabon-1')).product.price).toBe(4550);
  expect(await findStoredProduct(queries, 'vela-1')).toBeUndefined();
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

test('two imports at the same time give the catalog of one of them', async () => {
  const rows = Array.from({ length: 60 }, (_, index) => ({ ...SOAP, id: `jabon-${index}` }));

  const results = await Promise.all(
    [db, openAgain()].map((each) => importProducts(each, Buffer.from(csv(rows)), OPTIONS)),
  );

  const counts = results.map((result) => (result.ok ? result.changes.length : -1));
  expect(counts.toSorted((a, b) => a - b)).toEqual([0, 60]);
  expect((await searchProducts(queries, { text: '' }, { page: 1, at: 5 })).count).toBe(60);
});

test('two processes that start at the same time import the sample catalog once, and only into an empty catalog', async () => {
  const importSample = () =>
    Promise.all([db, openAgain()].map((each) => importSampleCatalog(each, CATALOG_FILE, OPTIONS)));

  await importSample();
  const products = await findAllProducts(queries);
  const events = await queries.selectFrom('productEvents').selectAll().execute();
  await queries.deleteFrom('productEvents').execute();
  await queries.deleteFrom('products').where('id', '<>', 'taza-talavera').execute();
  await importSample();

  expect([products.length, products.at(-1)?.position, events.length]).toEqual(Array(3).fill(testProducts().length));
  expect(await findAllProducts(queries)).toHaveLength(1);
});

const readCells = productReader({ locale: 'es-MX', hasPicture: (path) => !path.includes('gone') });

test.each([
  ['price', '1,099.00', { price: 109_900 }],
  ['price', '1099.5', { price: 109_950 }],
  ['price', ' 289 ', { price: 28_900 }],
  ['price_before', '45.51', { priceBefore: 4551 }],
  ['price_before', '', { priceBefore: null }],
  ['weight_g', '350', { weight: 350 }],
  ['weight_g', '1000000', { weight: 1_000_000 }],
  ['weight_g', ' ', { weight: null }],
  ['stock', '0', { stock: 0 }],
  ['stock', '1000000', { stock: 1_000_000 }],
  ['stock', '', { stock: null }],
  ['tax_rate', 'Exempt', { taxRate: 'exempt' }],
  ['tax_rate', '0', { taxRate: '0' }],
  ['visible', 'No', { visible: false }],
  ['visible', 'Sí', { visible: true }],
  ['requires_shipping', '0', { requiresShipping: false }],
  ['clave_unidad', 'h87', { claveUnidad: 'H87' }],
  ['variant_attribute', ' Color ', { variantAttribute: 'color' }],
  ['variant_attribute', '', { variantAttribute: null }],
  ['description_es_mx', 'Dos\r\nlíneas, "así"', { description: { 'es-MX': 'Dos\nlíneas, "así"' } }],
])('the cell %s with %j is read as %j', (column, cell, product) => {
  expect(readCells({ ...SOAP, [column]: cell })).toMatchObject({ ok: true, product });
});

const refused = (column: string, problem: string, ...cells: readonly string[]) =>
  cells.map((cell) => [column, cell, problem] as const);

test.each<readonly [column: string, cell: string, problem: string]>([
  ...refused('price', 'is not', '', '0', '-1', '$45', '1e3', '12,34.00', '１'),
  ...refused('price', 'is ambiguous', '1.099,00', '45,50', '45.505'),
  ...refused('price_before', 'is not an amount', '-1', '$60', 'no'),
  ...refused('price_before', 'is not above the price', '45.50', '45'),
  ...refused('stock', 'is not a whole number', '-1', '1e9', '1.5', '1000001', 'mucho'),
  ...refused('weight_g', 'is not a whole number of grams', '0', '-1', '1.5', '1,000', '1000001', '500 g'),
  ['tax_rate', '15', 'is not one of 16, 8, 0, exempt'],
  ['variant_attribute', 'sabor', 'is not one of size, color, pattern, material'],
  ['visible', 'quizás', 'is neither yes nor no'],
  ['id', 'a b', 'must be 1 to 64 letters'],
  ['id', 'shipping', 'is reserved'],
  ['id', '', 'must be 1 to 64 letters'],
  ['slug', 'Mi Jabón', 'may only have lowercase letters'],
  ['image', 'https://cdn.example/a.jpg', 'is not the path'],
  ['image', '/../secret.jpg', 'is not the path'],
  ['image', '/products/a.gif', 'is not the path'],
  ['image', '/products/gone.jpg', 'is neither a file below public/'],
  ['name_es_mx', '', 'is missing'],
  ['category_es_mx', '', 'is missing'],
  ['category_es_mx', '茶', 'has no letter'],
  ['image_alt_es_mx', ' ', 'is missing'],
  ['name_es_mx', 'x'.repeat(121), 'has more than 120 characters'],
  ['name_es_mx', 'dos\nlíneas', 'has a line break'],
  ['description_es_mx', 'a\u0007b', 'control character'],
  ...refused('description_es_mx', 'begins like a spreadsheet formula', '=1+1', '+1', '-1', '@x', '\tx', ' =1', '＝1'),
  ['clave_prod_serv', '123', 'is not 8 digits'],
  ['clave_unidad', 'H-7', 'is not 1 to 3'],
])('the cell %s with %j is refused', (column, cell, problem) => {
  const reading = readCells({ ...SOAP, [column]: cell });

  if (reading.ok) throw new Error('the cell was read');
  const texts = reading.problems.map((each) => problemText({ ...each, row: 2 }));
  expect(texts).toEqual([expect.stringMatching(`^row 2, ${column}: .*${problem}`)]);
});
