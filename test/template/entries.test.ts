/** The entries of `@tianguis/payments`: its README names each export, and no name is in two of them. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const folder = new URL('../../packages/payments/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, folder), 'utf8');
const { exports: entries } = JSON.parse(read('package.json')) as {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
};
const sources = Object.entries(entries).flatMap(([entry, target]) =>
  typeof target === 'string'
    ? []
    : [[entry.slice(1), target.default.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts')] as const],
);

/** Returns the exported names of a file, which only re-exports. */
function namesOf(path: string): readonly string[] {
  const lists = [...read(path).matchAll(/^export (?:type )?\{([^}]*)\} from /gm)].map(([, list = '']) =>
    list.split(','),
  );
  return lists
    .flat()
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '');
}

test.each(sources)('README.md has a table of the names of @tianguis/payments%s', (entry, source) => {
  const [, section = ''] = read('README.md').split(`### \`@tianguis/payments${entry}\`\n`);
  const [text = ''] = section.split(/^#/m);
  const rows = [...text.matchAll(/^\| (`.+?) \|/gm)].map(([, names = '']) => names);
  const named = rows.flatMap((names) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name));

  expect(named.length).toBeGreaterThan(0);
  expect(named.toSorted()).toEqual(namesOf(source).toSorted());
});

test('no name is exported by two entries, and the first has at most 28', () => {
  const names = sources.flatMap(([, source]) => namesOf(source));

  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(namesOf('src/index.ts').length).toBeLessThanOrEqual(28);
});
