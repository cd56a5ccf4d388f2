/** `npm run features -- apply` in and after a merge of the template, in a shop that removed the room c. */
import { mkdirSync, rmSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createShop } from './shop-repository.js';

const NEW_ROOM = '/** The gifts. */\nexport const d: Feature = {};\n';

/**
 * The shop removed c and changed `src/app.ts`. The new version changes c and adds a file to it, adds the room d to tree
 * and lists, and changes `src/app.ts` and a file that the shop did not change.
 */
function createMergedShop(moreFiles: Readonly<Record<string, string>> = {}) {
  const shop = createShop();
  shop.features('remove', 'c');
  shop.commit('main', { 'src/app.ts': 'mine\n' });
  shop.commit('template', {
    'src/app.ts': 'theirs\n',
    'src/features/a/feature.ts': `${shop.read('src/features/a/feature.ts')}// newer\n`,
    'src/features/c/feature.ts': '/** Newer codes. */\nexport const c: Feature = {};\n',
    'src/features/c/views/more.ejs': 'more\n',
    'src/features/d/feature.ts': NEW_ROOM,
    'src/features/index.ts': 'export const ROOMS = [a, b, c, d];\n',
    '.env.example': 'a=on\nb=on\nc=on\nd=on\n',
    ...moreFiles,
  });
  expect(shop.git('merge', 'template')).toMatchObject({ code: 1 });
  return shop;
}

const conflictsOf = (shop: ReturnType<typeof createShop>) =>
  shop.git('diff', '--name-only', '--diff-filter=U').output.split('\n').filter(Boolean);

test('in a merge the removed room goes again, the lists are regenerated, the new room stays, and other conflicts are left', () => {
  using shop = createMergedShop();
  expect(conflictsOf(shop)).toEqual([
    '.env.example',
    'src/app.ts',
    'src/features/c/feature.ts',
    'src/features/index.ts',
  ]);
  const [head, app] = [shop.id('HEAD'), shop.read('src/app.ts')];

  const first = shop.features('apply');

  expect(first.code).toBe(1);
  expect(first.output).toMatch(/^New in the template, and kept: d\.$/m);
  expect(first.output).toMatch(/^Conflicts that are left:\n {2}\.env\.example\n {2}src\/app\.ts$/m);
  expect(conflictsOf(shop)).toEqual(['.env.example', 'src/app.ts']);
  expect([shop.has('src/features/c'), shop.has('src/features/c/views'), shop.read('src/app.ts')]).toEqual([
    false,
    false,
    app,
  ]);
  expect(shop.read('src/features/index.ts')).toBe('export const ROOMS = [a, b, d];\n');
  expect(shop.read('src/features/a/feature.ts')).toMatch(/newer/);
  expect(shop.record()).toEqual({ version: '1.0.0', commit: shop.id('template'), without: ['c'] });
  expect([shop.id('HEAD'), shop.id('MERGE_HEAD')]).toEqual([head, shop.id('template')]);

  shop.write('src/app.ts', 'both\n');
  shop.git('add', 'src/app.ts');
  expect(shop.features('apply')).toMatchObject({ code: 0 });
  expect(shop.read('.env.example')).toBe('a=on\nb=on\nd=on\n');
  expect(conflictsOf(shop)).toEqual([]);
  expect(shop.git('commit', '--no-edit')).toMatchObject({ code: 0 });
  expect(shop.git('status', '--porcelain').output).toBe('');

  expect(shop.features('restore', 'c')).toMatchObject({ code: 0 });
  expect([shop.read('src/features/c/feature.ts'), shop.read('src/features/c/views/more.ejs')]).toEqual([
    expect.stringContaining('Newer codes.'),
    'more\n',
  ]);
});

test('in a merge, apply names the packages to install before it builds, and of a failed build the first 20 lines', () => {
  using shop = createMergedShop({ 'bad-code': 'x' });
  shop.write('src/app.ts', 'both\n');
  shop.write('package.json', JSON.stringify({ ...shop.package(), dependencies: { '@shop/payments': '1' } }));
  shop.git('add', 'src/app.ts', 'package.json');

  const missing = shop.features('apply');
  mkdirSync(shop.path('node_modules/@shop/payments'), { recursive: true });
  const failed = shop.features('apply');
  rmSync(shop.path('bad-code'));

  expect(missing).toMatchObject({
    code: 1,
    output: expect.stringContaining('Run npm ci, which installs @shop/payments.'),
  });
  expect(failed.code).toBe(1);
  expect(failed.output.match(/^src\/app\.ts: error$/gm)).toHaveLength(20);
  expect(failed.output).toMatch(/^… and 10 more lines: npm run build\nThen run again: npm run features -- apply$/m);
  expect(shop.features('apply')).toMatchObject({ code: 0 });
});

test('with --yes a new room of the template is removed and recorded', () => {
  using shop = createMergedShop();

  const { output } = shop.features('apply', '--yes');

  expect(output).toMatch(/^Removed: c, d\./m);
  expect(shop.has('src/features/d')).toBe(false);
  expect(shop.read('src/features/index.ts')).toBe('export const ROOMS = [a, b];\n');
  expect(shop.record()).toMatchObject({ without: ['c', 'd'] });
});

test('without a terminal no command waits for an answer, and a new room stays in a shop that began full', () => {
  using shop = createMergedShop();

  const list = shop.featuresWithOpenInput('--json');
  shop.git('checkout', '--theirs', 'src/app.ts');
  shop.git('add', 'src/app.ts');
  const applied = shop.featuresWithOpenInput('apply');

  expect([list.code, JSON.parse(list.output)]).toEqual([0, expect.objectContaining({ problems: expect.anything() })]);
  expect([applied.code, applied.output]).toEqual([0, expect.stringContaining('New in the template, and kept: d.')]);
  expect(shop.has('src/features/d')).toBe(true);
});

const room = (name: string, more = '') => ({
  [`src/features/${name}/feature.ts`]: `/** New. */\nexport const ${name}: Feature = {\n  name: '${name}',\n${more}};\n`,
});

/**
 * The shop began small, with the room products, and restored c. The new version adds the rooms d that needs e, f, and g, which
 * products needs from then on. It changes `src/app.ts`, as the shop does if `inConflict`.
 */
function createSmallShop({ inConflict }: { readonly inConflict: boolean }) {
  const shop = createShop();
  shop.commit('main', room('products'));
  shop.git('branch', '--force', 'template', 'main');
  shop.features('remove', 'a', 'b', 'c');
  expect(shop.record()).toMatchObject({ preset: 'small' });
  shop.features('restore', 'c');
  if (inConflict) shop.commit('main', { 'src/app.ts': 'mine\n' });
  const needing = (need: string) => `  needs: ['${need}'],\n`;
  const rooms = { ...room('d', needing('e')), ...room('e'), ...room('f'), ...room('g') };
  shop.commit('template', { 'src/app.ts': 'theirs\n', ...room('products', needing('g')), ...rooms });
  expect(shop.git('merge', '--no-edit', 'template')).toMatchObject({ code: inConflict ? 1 : 0 });
  return shop;
}

test('in a shop that began small, the new rooms are off unless a kept one needs them, and --keep keeps one at any time of the merge', () => {
  using shop = createSmallShop({ inConflict: true });
  const first = shop.features('apply');

  expect(first.output).toMatch(
    /^New in the template, and kept: g\.\nNew in the template, and off: d, e, f\. .*--keep NAME/m,
  );
  expect(shop.record()).toMatchObject({
    commit: shop.id('template'),
    preset: 'small',
    without: ['a', 'b', 'd', 'e', 'f'],
  });
  expect(['d', 'e', 'f', 'g'].map((name) => shop.has(`src/features/${name}`))).toEqual([false, false, false, true]);

  expect(shop.features('apply', '--keep', 'd').output).toMatch(
    /^Restored: d, e\.\nNew in the template, and kept: d, e, g\.$/m,
  );
  shop.write('src/app.ts', 'both\n');
  shop.git('add', 'src/app.ts');
  expect(shop.features('apply')).toMatchObject({ code: 0 });
  expect(shop.git('commit', '--no-edit')).toMatchObject({ code: 0 });

  expect(shop.read('src/features/index.ts')).toBe('export const ROOMS = [c, d, e, g, products];\n');
  expect(shop.git('status', '--porcelain').output).toBe('');
  expect(shop.features('restore', 'a')).toMatchObject({ code: 0 });
  expect(shop.record()).toMatchObject({ preset: 'small', without: ['b', 'f'] });
});

test('after a merge without conflicts in a shop that began small, the new rooms go in one commit, without those that --keep names', () => {
  using shop = createSmallShop({ inConflict: false });
  const unknown = shop.features('apply', '--keep', 'a');

  const { output } = shop.features('apply', '--keep', 'f');

  expect(unknown).toEqual({ code: 1, output: 'Not new in a merged version: a\n' });
  expect(output).toMatch(/^New in the template, and kept: f, g\.\nNew in the template, and off: d, e\. /m);
  expect(shop.read('src/features/index.ts')).toBe('export const ROOMS = [c, f, g, products];\n');
  expect(shop.record()).toMatchObject({ preset: 'small', without: ['a', 'b', 'd', 'e'] });
  expect(shop.git('status', '--porcelain').output).toBe('');
  expect(shop.features('restore', 'd')).toMatchObject({ code: 0 });
  expect(shop.has('src/features/e')).toBe(true);
});

test('package.json with a conflict that is not staged as resolved gets the record, and stays a conflict', () => {
  const content = { name: 'shop', version: '1.1.0', type: 'module', dependencies: {}, end: 1 };
  using shop = createMergedShop({ 'package.json': `${JSON.stringify(content, null, 2)}\n` });
  expect(conflictsOf(shop)).toContain('package.json');
  shop.git('checkout', '--ours', 'package.json');

  shop.features('apply');

  expect(conflictsOf(shop)).toContain('package.json');
  expect(shop.record()).toEqual({ version: '1.1.0', commit: shop.id('template'), without: ['c'] });
});

test('in a merge, package.json of the template loses no record: the removed room goes again, and apply records it', () => {
  const content = { name: 'shop', version: '1.1.0', type: 'module', dependencies: {}, end: 1 };
  using shop = createMergedShop({ 'package.json': `${JSON.stringify(content, null, 2)}\n` });
  shop.git('checkout', '--theirs', 'package.json', 'src/app.ts');
  shop.git('add', 'package.json', 'src/app.ts');

  expect(shop.features('apply')).toMatchObject({ code: 0, output: expect.stringMatching(/^Removed: c\./m) });

  expect(shop.has('src/features/c')).toBe(false);
  expect(shop.record()).toEqual({ version: '1.1.0', commit: shop.id('template'), without: ['c'] });
});

test('after a merge without conflicts the room goes again in one commit, and is restored from the merged version', () => {
  using shop = createShop();
  shop.features('remove', 'c');
  shop.commit('template', { 'src/features/c/views/more.ejs': 'more\n' });
  expect(shop.git('merge', '--no-edit', 'template')).toMatchObject({ code: 0 });
  expect(shop.has('src/features/c/views/more.ejs')).toBe(true);

  expect(shop.features('apply')).toMatchObject({ code: 0 });

  expect(shop.has('src/features/c/views')).toBe(false);
  expect(shop.git('log', '-1', '--format=%s').output).toBe('chore(features): remove again c\n');
  expect(shop.record()).toMatchObject({ commit: shop.id('template'), without: ['c'] });
  expect(shop.features('apply').output).toMatch(/^No part is removed or restored\.$/m);
  expect(shop.features('restore', 'c')).toMatchObject({ code: 0 });
  expect(shop.has('src/features/c/views/more.ejs')).toBe(true);
});

test('a merge of an own branch changes neither the recorded commit nor its new room', () => {
  using shop = createShop();
  const start = shop.id('HEAD');
  shop.features('remove', 'c');
  shop.git('branch', 'own');
  shop.commit('own', {
    'src/features/e/feature.ts': NEW_ROOM,
    'src/features/index.ts': 'export const ROOMS = [a, b, e];\n',
  });
  shop.commit('main', { 'src/other.ts': 'export {};\n' });
  shop.git('merge', '--no-edit', 'own');

  expect(shop.features('apply', '--yes')).toMatchObject({ code: 0 });

  expect([shop.has('src/features/e'), shop.record()]).toEqual([
    true,
    { version: '1.0.0', commit: start, without: ['c'] },
  ]);
});
