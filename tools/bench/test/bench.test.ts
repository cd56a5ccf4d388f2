import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { runBuilt } from '../../../test/support/built-program.js';
import { hasFeature } from '../../../test/support/features.js';
import { rows } from '../rows.js';

/** The rooms that rows of the catalog need. */
const ROOMS = ['metrics', 'search-engines', 'products', 'products'];
const PRODUCT_ROWS = 10 + ROOMS.filter(hasFeature).length;

test('npm run bench prints machine, versions and date, and a row for each selected measurement', async () => {
  const only = ['--only', 'growth,install,products', '--seconds', '1'];
  const { stdout, stderr } = await runBuilt('tools/bench/main.js', only);

  const printed = stdout.split('\n').filter((line) => /^\| (?:growth|install|products) /.test(line));
  expect({ rows: printed.length, stderr }).toEqual({ rows: 7 + PRODUCT_ROWS, stderr: '' });
  expect(printed.slice(0, 6)).toEqual(
    Array(6).fill(expect.stringMatching(/[\d.,]+ × \([\d.,]+ ms, then [\d.,]+ ms\)/)),
  );
  expect(stdout).toMatch(/^Measured 20\d\d-\d\d-\d\d on .+, \d+ cores, Node [\d.]+, SQLite [\d.]+\.$/m);
  expect(printed[6]).toMatch(/\d+ packages, [\d.]+ MB/);
  expect(printed.slice(7)).toEqual(
    Array(PRODUCT_ROWS).fill(expect.stringMatching(/10,000 products, embedded.* \| [\d.,]+ (?:ms|MB) \|/)),
  );
}, 300_000);

const document = new URL('../../../docs/speed.md', import.meta.url);
const testWithDocument = existsSync(document) ? test : test.skip;

testWithDocument('docs/speed.md has each row of the bench, in order, with a target, a figure, machine and date', () => {
  const text = readFileSync(document, 'utf8');
  const listed = [...text.matchAll(/^\| (`.+?) \| .+ \| (.+) \| (.+) \|$/gm)];

  expect(listed.flatMap(([, names = '']) => names.replaceAll('`', '').split(', '))).toEqual(Object.keys(rows));
  expect(listed.filter(([, , target = '', figure = '']) => !/\d/.test(target) || !/\d|^–$/.test(figure))).toEqual([]);
  expect(text).toMatch(/^Measured 20\d\d-\d\d-\d\d on .+, \d+ cores, Node [\d.]+, SQLite [\d.]+/m);
});
