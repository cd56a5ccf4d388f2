/** The list of the features' tables, `src/features/rows.ts`, in a small shop with the features a and b. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { run } from '../../../test/support/project-copy.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const LIST = 'src/features/rows.ts';

let shop: string;

beforeEach(() => {
  shop = mkdtempSync(join(tmpdir(), 'tianguis-lists-'));
  for (const name of ['feature-lists.js', 'own-paths.js']) {
    mkdirSync(join(shop, 'tools/dev'), { recursive: true });
    copyFileSync(join(root, 'tools/dev', name), join(shop, 'tools/dev', name));
  }
  write('package.json', '{ "type": "module" }');
  for (const folder of ['src/flows', 'src/locales', 'src/shop/rules'])
    mkdirSync(join(shop, folder), { recursive: true });
  writeTables('a', "{ notes: { personal: { by: 'orderId', copied: { note: 'plain' } } }, colors: {} }");
  writeTables('b', "{ marks: { expires: { key: 'id', since: 'at', days: 1, where: `kind = 'x'` } } }");
});
afterEach(() => {
  rmSync(shop, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(shop, path)), { recursive: true });
  writeFileSync(join(shop, path), text);
}

const writeTables = (feature: string, rows: string) =>
  write(
    `src/features/${feature}/tables.ts`,
    `export interface Tables {}\n\nexport const ROWS = ${rows} as const satisfies FeatureRows<Tables>;\n`,
  );
const remove = (feature: string) => rmSync(join(shop, 'src/features', feature), { recursive: true });
const generate = (...args: readonly string[]) => run(shop, process.execPath, 'tools/dev/feature-lists.js', ...args);
const list = () => readFileSync(join(shop, LIST), 'utf8');
/** The lines of the tables. */
const tables = () =>
  list()
    .split('\n')
    .filter((line) => line.startsWith('  '));

const [COLORS, MARKS, NOTES] = [
  "  colors: { feature: 'a' },",
  "  marks: { feature: 'b', expires: { key: 'id', since: 'at', days: 1, where: \"kind = 'x'\" } },",
  "  notes: { feature: 'a', personal: { by: 'orderId', copied: { note: 'plain' } } },",
];

test('the list has each table of the features on a line, those of a feature in its order', () => {
  expect(generate()).toEqual({ code: 0, output: '' });

  expect(tables()).toEqual([NOTES, COLORS, MARKS]);
});

test('the tables of removed features stay as they were, and the list needs no change', () => {
  generate();
  const before = list();
  for (const feature of ['a', 'b']) remove(feature);
  mkdirSync(join(shop, 'src/features/b'), { recursive: true });

  expect(generate()).toEqual({ code: 0, output: '' });
  expect(generate('--check')).toEqual({ code: 0, output: '' });

  expect(list()).toBe(before);
});

test('a restored feature replaces its tables, and one that takes over a table of a removed feature its line', () => {
  generate();
  remove('a');
  generate();
  writeTables('a', "{ notes: { personal: { by: 'orderId', copied: {} } } }");
  generate();
  const restored = tables();
  remove('a');
  writeTables('c', '{ notes: {} }');
  generate();

  expect(restored).toEqual(["  notes: { feature: 'a', personal: { by: 'orderId', copied: {} } },", MARKS]);
  expect(tables()).toEqual([MARKS, "  notes: { feature: 'c' },"]);
});

test('two features with one table are refused with both names, and the list stays', () => {
  generate();
  const before = list();
  writeTables('c', '{ marks: {} }');

  expect(generate()).toMatchObject({
    code: 1,
    output: expect.stringContaining('Two features declare the table marks: b, c.'),
  });
  expect(list()).toBe(before);
});

test('from a list in conflict, each side has its tables of removed features, and of two versions the merged one counts', () => {
  const own = "  badges: { feature: 'removed', expires: { key: 'id', since: 'at', days: 1 } },";
  const theirs = own.replace('days: 1', 'days: 2');
  const added = "  bells: { feature: 'removed-too' },";
  const conflict = ['<<<<<<< HEAD', own, COLORS, '=======', theirs, added, '>>>>>>> template', MARKS];
  write(LIST, `${conflict.join('\n')}\n`);

  expect(generate()).toEqual({ code: 0, output: '' });

  expect(tables()).toEqual([NOTES, COLORS, MARKS, theirs, added]);
});

test.each([
  ['a value that is no literal', '{ marks: { expires: DAY } }', 'ROWS must consist of literals: DAY is not defined'],
  ['conflict markers', '{\n<<<<<<< HEAD\n  marks: {},\n=======\n}', 'ROWS must consist of literals: Unexpected token'],
])('%s in the tables of a feature is refused with its file', (_, rows, reason) => {
  writeTables('b', rows);

  expect(generate()).toMatchObject({
    code: 1,
    output: expect.stringContaining(`src/features/b/tables.ts: ${reason}`),
  });
});
