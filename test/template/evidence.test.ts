/** The commands and the numbers of docs/internals/README.md, compared with the files. */
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { BAD_ADAPTERS } from '../../packages/payments/test/gateway/promises/bad-adapters.js';
import { PROMISES } from '../../packages/payments/test/gateway/promises/promises.js';
import { isInRemovedPart } from './support/removed-parts.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = 'docs/internals/README.md';
const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: object };
const rows = [...read(page).matchAll(/^\| (.+) \| `(.+)` \| (.+) \|$/gm)].map(
  ([, item = '', command = '', numbers = '']) => ({ item, command, numbers }),
);
const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`);
const testFiles = ['src', 'test', 'tools', 'packages'].flatMap(filesIn).filter((path) => path.endsWith('.test.ts'));

/** Returns why a command cannot be run, or `undefined`. */
function wrongIn(command: string): string | undefined {
  const [program = '', ...words] = command.replace(/^(?:[A-Z_]+=\S+ )+/, '').split(' ');
  if (program !== 'npm') return isExecutable(program) ? undefined : `${program} is no program`;
  const [name = '', script = ''] = words;
  const patterns = name === 'test' ? words.slice(2) : [];
  const missing = patterns.filter((pattern) => !testFiles.some((path) => path.includes(pattern)));
  if (missing.length > 0) return `no test file has ${missing}`;
  const isKnown = name === 'test' || (name === 'run' && script in scripts);
  // A tool has the name of its script, which is removed with it.
  return isKnown || isInRemovedPart(`tools/${script}/`) ? undefined : `no script ${script}`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(join(root, path), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const rowsOf = (path: string, pattern: RegExp) => [...read(path).matchAll(pattern)];
const internal = (name: string) => `docs/internals/${name}`;

/** What the files have, by the start of an item. */
const COUNTS: Readonly<Record<string, () => readonly number[]>> = {
  '[Every sequence': () => {
    const bounds = rowsOf(
      internal('state-search.md'),
      /^\| \d .*\| ([\d,]+) \| (?:each test run|`npm run test:all`) \|$/gm,
    );
    const states = bounds.map(([, count = '']) => Number(count.replaceAll(',', '')));
    const reverts = rowsOf(internal('state-search.md'), /^\| (?:I\d|never stuck) \|/gm);
    return [states.reduce((sum, count) => sum + count, 0), reverts.length];
  },
  'Random sequences': () =>
    rowsOf('test/payments-in-shop/model/run-property.ts', /MODEL_RUNS \?\? (\d+)/g).map(([, count]) => Number(count)),
  '[Fault, trigger': () =>
    rowsOf(internal('faults.md'), /^(\d+) orders were played/gm).map(([, count]) => Number(count)),
  '[Faults and attacks': () => [rowsOf(internal('cases.md'), /^\| \d+ \|/gm).length],
  '[Promises of a gateway adapter]': () => {
    const adapters = testFiles.filter((path) => /^describePromises\(/m.test(read(path)));
    return [PROMISES.length, adapters.length, BAD_ADAPTERS.length];
  },
  '[Payments in three': () => {
    const [head] = rowsOf(internal('engines.md'), /^\| journey \|(.+)\|$/gm);
    const journeys = rowsOf(internal('engines.md'), /^\| `test\/template\/engines/gm);
    return [journeys.length, head?.[1]?.split('|').length ?? 0];
  },
  '[The gateway as OpenAPI': () => [rowsOf(internal('gateway.openapi.json'), /"operationId"/g).length],
  '[PCI': () => {
    const [, requirements = ''] = read(internal('pci.md')).split(/^\| requirement .*\n\|.*\n/m);
    const scripts = rowsOf(internal('pci.md'), /^\| `\w+\.js` \|/gm);
    return [requirements.split('\n\n', 1)[0]?.split('\n').length ?? 0, scripts.length];
  },
  '[OWASP': () => [rowsOf(internal('asvs.md'), /^\| v5/gm).length],
  '[Data flows, and': () => [
    new Set(rowsOf(internal('security-evidence.md'), /-->\|(\d+)\|/g).map(([, line]) => line)).size,
  ],
  'Bill of materials': () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      readonly packages: Record<string, { readonly dev?: true; readonly link?: true }>;
    };
    const isInstalled = ([path, { dev, link }]: (typeof entries)[number]) =>
      path.includes('node_modules/') && !dev && !link;
    const entries = Object.entries(packages);
    return [entries.filter(isInstalled).length];
  },
  'Faults against the built shop': () =>
    existsSync(join(root, 'tools/drill'))
      ? [filesIn('tools/drill/scenarios').flatMap((path) => rowsOf(path, /^ {2}id: '/gm)).length]
      : [],
  '[Performance': () => [
    rowsOf('docs/speed.md', /^\| (`.+?) \|/gm).flatMap(([, names = '']) => names.split(', ')).length,
  ],
};

test('each command of the evidence names files and scripts that exist', () => {
  expect(rows.length).toBeGreaterThan(12);
  expect(rows.flatMap(({ command }) => wrongIn(command) ?? [])).toEqual([]);
});

test('the numbers of the evidence are those of the files', () => {
  for (const [start, count] of Object.entries(COUNTS)) {
    const row = rows.find(({ item }) => item.startsWith(start));
    const stated = row?.numbers.match(/\d[\d,]*/g)?.map((number) => Number(number.replaceAll(',', '')));
    const actual = count();
    if (actual.length > 0) expect([start, stated]).toEqual([start, actual]);
  }
});

test('the evidence links to every document beside it', () => {
  const others = readdirSync(join(root, 'docs/internals')).filter((name) => name !== 'README.md');

  expect(others.filter((name) => !read(page).includes(`](${name})`))).toEqual([]);
});
