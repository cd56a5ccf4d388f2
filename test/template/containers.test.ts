/** The paths, scripts and names in Dockerfile, compose.yaml and the workflow. `image.test.ts` builds the image. */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { settingsSchema } from '../../src/config/settings.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const WORKFLOW = '.github/workflows/ci.yml';
const FILES = ['Dockerfile', 'compose.yaml', WORKFLOW];

/** Returns the first group of each match. */
function allOf(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found);
}

const isMissing = (path: string) => !existsSync(`${root}${path}`);
const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: object };

test.each(FILES)('the first line of %s says when it was last tried, and without what', (path) => {
  expect(read(path)).toMatch(/^# Last tried 20\d\d-\d\d-\d\d without (?:Docker|GitHub): /);
});

test.each(FILES)('%s names scripts and programs that exist', (path) => {
  const programs = allOf(read(path), /\bdist\/([\w/-]+)\.js\b/g);

  // The doctor may be deleted.
  expect(programs.filter((name) => isMissing(`${name}.ts`) && !name.startsWith('tools/doctor/'))).toEqual([]);
  expect(allOf(read(path), /npm run (?:--silent )?([\w-]+)/g).filter((name) => !(name in scripts))).toEqual([]);
});

test('Dockerfile copies files that exist and that .dockerignore sends', () => {
  const text = read('Dockerfile');
  const sent = allOf(read('.dockerignore'), /^!(.+)$/gm);
  const packages = allOf(text, /^COPY ((?:[\w.-]+ )+)(?:\.\/|packages)$/gm).flatMap((names) => names.trim().split(' '));
  const built = allOf(text, /^COPY --from=build \/srv\/tianguis\/(\S+) /gm);

  expect(packages).toHaveLength(8);
  expect(built.length).toBeGreaterThan(3);
  for (const path of [...packages, ...built.filter((name) => name !== 'dist')]) expect(sent).toContain(path);
  expect(sent.filter((path) => isMissing(path) && path !== 'tools/doctor')).toEqual([]);
});

test('compose.yaml mounts, sets and uses what exists', () => {
  const text = read('compose.yaml');
  const caddyfile = read('docs/examples/Caddyfile');
  const [, services = '', definitions = ''] = /^services:$([\s\S]*?)^networks:$([\s\S]*)/m.exec(text) ?? [];
  const [shop = '', postgres = '', proxy = ''] = services.split(/^ {2}(?:shop|postgres|proxy):$/m).slice(1);
  const variables = (service: string) =>
    allOf(/^ {4}environment:\n((?: {6}.+\n)+)/m.exec(service)?.[1] ?? '', /^ {6}(\w+):/gm);
  const named = allOf(services, /^ +(?:volumes|networks|secrets): \[(.+)\]$/gm).flatMap((list) => list.split(/, /));

  expect(variables(shop).filter((name) => !(name in settingsSchema.shape))).toEqual([]);
  expect(variables(proxy).filter((name) => !caddyfile.includes(`{$${name}`))).toEqual([]);
  expect(allOf(services, /^ {6}- \.\/([^:]+):/gm).filter(isMissing)).toEqual([]);
  for (const name of named) expect(definitions).toMatch(new RegExp(`^ {2}${name.replace(/"|:.*/g, '')}:`, 'm'));
  expect([variables(shop), variables(postgres), variables(proxy)].map(({ length }) => length > 1)).toEqual([
    true,
    true,
    true,
  ]);
  expect(shop).toContain(`:${/^VOLUME (.+)$/m.exec(read('Dockerfile'))?.[1]}"`);
});

test('the workflow runs a program of the repository, with a version of Node from package.json', () => {
  const [program = ''] = allOf(read(WORKFLOW), /- run: .* (\S+)$/gm);
  const [version = ''] = allOf(read(WORKFLOW), /node-version-file: (\S+)$/gm);

  expect(program).toBe('.ci/run');
  expect(() => accessSync(`${root}${program}`, constants.X_OK)).not.toThrow();
  expect(JSON.parse(read(version))).toMatchObject({ engines: { node: expect.any(String) } });
});
