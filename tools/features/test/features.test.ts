/** `npm run features` in a small shop with the rooms a, b that needs a, and c. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createShop } from './shop-repository.js';

test('the list has each part with its state, lines, needs and purpose, and the presets', () => {
  using shop = createShop();
  const { code, output } = shop.features('--json');

  expect(code).toBe(0);
  const { parts, presets, problems } = JSON.parse(output) as Readonly<Record<string, readonly unknown[]>>;
  expect(parts).toEqual([
    { kind: 'room', name: 'a', state: 'kept', lines: 6, needs: [], purpose: 'The links of orders.' },
    { kind: 'room', name: 'b', state: 'kept', lines: 7, needs: ['a'], purpose: 'The reminders.' },
    expect.objectContaining({ kind: 'tool', name: 'bench', lines: 1 }),
    { kind: 'room', name: 'c', state: 'kept', lines: 10, needs: [], purpose: 'The codes.' },
    expect.objectContaining({ kind: 'tool', name: 'features', state: 'kept' }),
  ]);
  expect(presets).toEqual({ full: [], small: ['a', 'b', 'bench', 'c'] });
  expect(problems).toEqual([]);
  expect(shop.features().output).toMatch(/^b +kept +7 {2}The reminders\. Needs a\.$/m);
});

test('a removal deletes the folders of the room, regenerates the lists and is one commit', () => {
  using shop = createShop();
  const start = shop.id('HEAD');

  const { code, output } = shop.features('remove', 'c', 'bench');

  expect(code).toBe(0);
  expect(output).toMatch(/npm uninstall @types\/qrcode qrcode$/m);
  const gone = ['src/features/c', 'public/c', 'tools/bench'];
  expect(gone.filter(shop.has)).toEqual([]);
  expect(shop.read('src/features/index.ts')).toBe('export const ROOMS = [a, b];\n');
  expect(shop.read('.env.example')).toBe('a=on\nb=on\n');
  expect(shop.record()).toEqual({ version: '1.0.0', commit: start, without: ['bench', 'c'] });
  expect(shop.git('log', '--format=%s', `${start}..`).output).toBe('chore(features): remove c, bench\n');
  expect(shop.git('status', '--porcelain').output).toBe('');
  expect(shop.features().output).toMatch(/^c +removed +10 {2}The codes\.$/m);
});

test('the script of a removed tool is deleted, and an own script with its name is kept', () => {
  using shop = createShop();
  shop.features('remove', 'bench');
  expect(Object.keys(shop.package().scripts)).toEqual(['start', 'test']);

  shop.features('restore', 'bench');
  const scripts = { ...shop.package().scripts, bench: 'node own-bench.js' };
  shop.commit('main', { 'package.json': JSON.stringify({ ...shop.package(), scripts }) });
  shop.features('remove', 'bench');

  expect(shop.package().scripts).toEqual(scripts);
});

test('a tree with a change that is not committed is refused', () => {
  using shop = createShop();
  shop.write('note.txt', 'mine');

  expect(shop.features('remove', 'c')).toMatchObject({ code: 1, output: expect.stringContaining('note.txt') });
  expect(shop.has('src/features/c/views')).toBe(true);
});

test('a file that git ignores in the folder of a room is not deleted', () => {
  using shop = createShop();
  shop.write('public/c/dist/own.css', 'p {}');

  expect(shop.features('remove', 'c')).toMatchObject({ code: 1, output: expect.stringContaining('dist/own.css') });
  expect([shop.has('public/c/dist/own.css'), shop.has('src/features/c/views/code.ejs')]).toEqual([true, true]);
});

test('a room that a kept one needs is refused with both names, and removed together with it', () => {
  using shop = createShop();

  expect(shop.features('remove', 'a')).toMatchObject({ code: 1, output: expect.stringContaining('b needs a:') });
  expect(shop.has('src/features/a')).toBe(true);
  expect(shop.features('remove', 'a', 'b')).toMatchObject({ code: 0 });
  expect(shop.read('src/features/index.ts')).toBe('export const ROOMS = [c];\n');
});

test.each([['unknown'], ['../..'], []])('a removal of %j is refused with the names of the parts', (...names) => {
  using shop = createShop();

  const { code, output } = shop.features('remove', ...names);

  expect([code, output]).toEqual([1, expect.stringContaining('The parts are: a, b, bench, c, features')]);
});

test('the folders that rooms share with the core stay', () => {
  using shop = createShop();
  shop.commit('main', {
    'src/features/products/feature.ts': '/** Products. */\nexport const products: Feature = {};\n',
    'public/products/soap.svg': '<svg/>\n',
  });

  expect(shop.features('remove', 'products')).toMatchObject({ code: 0 });
  expect([shop.has('src/features/products'), shop.has('public/products/soap.svg')]).toEqual([false, true]);
});

test('a restored room has its folders again, and those of the rooms that it needs', () => {
  using shop = createShop();
  const [tree, text] = [shop.id('HEAD^{tree}'), shop.read('package.json')];
  shop.features('remove', 'a', 'b', 'c');
  shop.features('remove', 'bench');

  const { code, output } = shop.features('restore', 'b');
  expect([code, output]).toEqual([0, expect.stringContaining('another part needs it: a.')]);
  expect(shop.read('src/features/index.ts')).toBe('export const ROOMS = [a, b];\n');
  expect(shop.record()).toMatchObject({ without: ['bench', 'c'] });
  expect(shop.features('restore', 'c', 'bench')).toMatchObject({ code: 0 });

  expect([shop.id('HEAD^{tree}'), shop.read('package.json')]).toEqual([tree, text]);
  expect(shop.features('restore', 'c')).toMatchObject({ code: 1, output: 'These parts are not removed: c\n' });
});

test('a dry run of a removal, a restoration and apply prints JSON and changes nothing', () => {
  using shop = createShop();
  shop.features('remove', 'b', 'a');
  const start = shop.id('HEAD');
  const dryRun = (...args: readonly string[]) => JSON.parse(shop.features(...args, '--dry-run', '--json').output);

  expect(dryRun('remove', 'c')).toEqual({ isDryRun: true, removed: ['c'] });
  expect(dryRun('restore', 'b')).toEqual({ isDryRun: true, restored: ['b', 'a'], needed: ['a'] });
  const none = { removed: [], restored: [], added: [], off: [], recorded: false, conflicts: [], problems: [] };
  expect(dryRun('apply')).toEqual({ isDryRun: true, ...none });
  expect([shop.id('HEAD'), shop.git('status', '--porcelain').output]).toEqual([start, '']);
});

test.each([
  ['the lists cannot be generated', { 'bad-list': 'x' }, 'the list is bad'],
  ['the build fails', { 'bad-code': 'x' }, 'src/app.ts: error'],
])('if %s, a removal and a restoration change nothing', (_, files, reason) => {
  using shop = createShop();
  shop.features('remove', 'b');
  shop.commit('main', files);
  const start = shop.id('HEAD');

  for (const args of [
    ['remove', 'c'],
    ['restore', 'b'],
  ] as const)
    expect(shop.features(...args)).toMatchObject({ code: 1, output: expect.stringContaining(reason) });

  expect([shop.id('HEAD'), shop.git('status', '--porcelain').output]).toEqual([start, '']);
  expect([shop.has('src/features/c/views/code.ejs'), shop.has('src/features/b')]).toEqual([true, false]);
});

test('if git refuses the commit, a removal changes nothing', () => {
  using shop = createShop();
  shop.git('config', 'core.hooksPath', '.hooks');
  shop.write('.git/info/exclude', '.hooks\n');
  shop.write('.hooks/pre-commit', '#!/bin/sh\necho hook refused >&2\nexit 1\n', 0o755);

  expect(shop.features('remove', 'c')).toMatchObject({ code: 1, output: expect.stringContaining('hook refused') });
  expect(shop.git('status', '--porcelain').output).toBe('');
  expect([shop.has('public/c/code.css'), shop.record()]).toEqual([true, undefined]);
});

test('the list reports a part that exists although it is removed, and one that is absent although it is not', () => {
  using shop = createShop();
  shop.features('remove', 'c');
  shop.write('src/features/c/views/code.ejs', 'back');
  shop.git('rm', '-r', '-q', 'src/features/a', 'tools/bench');

  expect(JSON.parse(shop.features('--json').output)).toMatchObject({
    problems: [
      expect.stringContaining('c is recorded as removed, and exists.'),
      expect.stringContaining('a is absent, and not recorded as removed.'),
      expect.stringContaining('bench is absent, and not recorded as removed.'),
      'b needs a, which is absent.',
    ],
  });
});

/** The files below a folder, or of a file, with their texts. */
const textsIn = (path: string): readonly (readonly [string, string])[] =>
  lstatSync(path).isDirectory()
    ? readdirSync(path).flatMap((name) => textsIn(join(path, name)))
    : [[path, readFileSync(path, 'utf8')]];

test.each(['public', 'public/c', 'src/features', 'src/features/c', 'package.json', '.env.example'])(
  'case 221: with %s as a link out of the project, no command changes anything there',
  (path) => {
    using shop = createShop();
    shop.features('remove', 'b');
    const moved = shop.link(path);
    shop.git('add', '--all');
    shop.git('commit', '--quiet', '--message', 'link');
    const [start, texts] = [shop.id('HEAD'), textsIn(moved)];

    const answer = shop.features('remove', 'c');

    expect(answer).toMatchObject({ code: 1, output: expect.stringContaining(`${path} is a link`) });
    expect([shop.id('HEAD'), shop.git('status', '--porcelain').output]).toEqual([start, '']);
    shop.features('restore', 'b');
    expect(textsIn(moved)).toEqual(texts);
    expect(lstatSync(shop.path(path)).isSymbolicLink()).toBe(true);
  },
);

test.each([
  [{ commit: '--output=../written', without: ['c'] }, 'commit'],
  [{ commit: 'HEAD', without: ['c'] }, 'commit'],
  [{ commit: 7, without: ['c'] }, 'commit'],
  [{ commit: '', without: ['c'] }, 'commit'],
  [{ commit: '0'.repeat(40), without: 'c' }, 'without'],
  [{ commit: '0'.repeat(40), without: ['../c'] }, 'without'],
  [{ commit: '0'.repeat(40), without: ['--all'] }, 'without'],
  [{ commit: '0'.repeat(40), without: [null] }, 'without'],
  [{ commit: '0'.repeat(40), preset: 'tiny', without: ['c'] }, 'preset'],
  ['c', 'tianguis'],
])('case 221: the record %j in package.json is refused by each command', (tianguis, member) => {
  using shop = createShop();
  shop.commit('main', { 'package.json': JSON.stringify({ ...shop.package(), tianguis }) });
  const start = shop.id('HEAD');

  for (const args of [[], ['remove', 'c'], ['restore', 'c'], ['apply']])
    expect(shop.features(...args)).toMatchObject({
      code: 1,
      output: expect.stringMatching(new RegExp(`package\\.json: .*${member}`)),
    });

  expect([shop.id('HEAD'), shop.git('status', '--porcelain').output]).toEqual([start, '']);
  expect(existsSync(shop.path('../written:./package.json'))).toBe(false);
});

test('without packages sweep ends with one line that names the command to install them', () => {
  using shop = createShop();

  expect(shop.featuresWithOpenInput('sweep')).toEqual({
    code: 1,
    output: 'The packages are not installed. Run: npm ci\n',
  });
});
