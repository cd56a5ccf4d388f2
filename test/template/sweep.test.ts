/** `npm run features -- sweep` finds what only removed parts used. */
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { linkPackages } from '../support/link-packages.js';
import { commitAll, copyProject, run } from '../support/project-copy.js';

/** Only product-feed and search-engines use this export. */
const SHARED = 'src/web/static-files.ts: sendCompressedXml';
const RULES = 'src/shop/rules/tax.ts';

// Long enough for a build on a busy machine.
jest.setTimeout(300_000);

let copy: string;

beforeEach(() => {
  copy = copyProject();
  linkPackages(copy);
  commitAll(copy);
  for (const [name, value] of [
    ['user.name', 'A'],
    ['user.email', 'a@shop.example'],
  ] as const)
    run(copy, 'git', 'config', name, value);
});
afterEach(() => {
  rmSync(copy, { recursive: true, force: true });
});

const features = (...args: readonly string[]) => run(copy, 'node', 'tools/features/main.js', ...args);
const linesOf = (output: string) => output.split('\n');
const isClean = () => run(copy, 'git', 'status', '--porcelain').output === '';

test('with all parts sweep finds nothing, and without three rooms their export and package, and it changes nothing', () => {
  expect(features('sweep')).toEqual({ code: 0, output: expect.stringMatching(/^Nothing is left: .+\n$/) });

  features('remove', 'product-feed', 'search-engines', 'metrics');
  const { code, output } = features('sweep');

  expect([code, isClean()]).toEqual([0, true]);
  const listed = linesOf(output).slice(0, linesOf(output).indexOf(''));
  expect(listed).toEqual(expect.arrayContaining(['package.json: prom-client', SHARED]));
  expect(listed).toEqual(listed.toSorted((a, b) => a.localeCompare(b, 'en')));
  expect(output).toMatch(/\n\nDelete what you do not plan to use.*\nA restored part .*\n$/);
});

test('sweep lists an own export, an own type and an own file that nothing uses, marks what only tests use, and leaves out what its own file uses', () => {
  const own = [
    'type OwnType = 1',
    'const unused = 1',
    'const tested = 1',
    'const usedHere = 1',
    'const main = usedHere',
  ];
  appendFileSync(join(copy, RULES), own.map((each) => `export ${each};\n`).join(''));
  writeFileSync(
    join(copy, 'test/own.test.ts'),
    "import { tested } from '../src/shop/rules/tax.js';\nexport default tested;\n",
  );
  writeFileSync(join(copy, 'src/tables/own.ts'), 'export const own = 1;\n');

  const { code, output } = features('sweep');

  expect(code).toBe(0);
  const expected = [
    `${RULES}: main`,
    `${RULES}: OwnType`,
    `${RULES}: tested (only tests use it)`,
    `${RULES}: unused`,
    'src/tables/own.ts: the whole file',
  ];
  expect(linesOf(output)).toEqual([...expected, '', expect.any(String), expect.any(String), '']);
  const { unused } = JSON.parse(features('sweep', '--json').output) as { readonly unused: readonly unknown[] };
  expect(unused).toContainEqual({ kind: 'file', file: 'src/tables/own.ts', name: 'src/tables/own.ts' });
  expect(unused).toContainEqual({ kind: 'export', file: RULES, name: 'tested', isTested: true });
});
