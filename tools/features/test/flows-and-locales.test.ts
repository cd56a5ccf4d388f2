/** `npm run features` with both payment flows and the locale en, in a small shop whose rooms a and c have texts in English. */
import { expect, test } from '@jest/globals';
import { createShop } from './shop-repository.js';

const flow = (name: string) => `/** The ${name} page. */\nexport const ${name}: FlowPages = {};\n`;
const FILES: Readonly<Record<string, string>> = {
  'src/flows/card/flow.ts': flow('card'),
  'src/flows/card/en.ts': 'export const en = {};\n',
  'src/flows/hosted/flow.ts': flow('hosted'),
  'views/card/pay.ejs': '<p>card</p>\n',
  'test/flows/card/card.test.ts': 'export {};\n',
  'public/card.js': 'export {};\n',
  'src/locales/es-mx-admin.ts': 'export const esMxAdmin = {};\n',
  'src/locales/en.ts': 'export const en = {};\n',
  'src/locales/en-admin.ts': 'export const enAdmin = {};\n',
  'src/features/a/en.ts': 'export const en = {};\n',
  'src/features/c/en.ts': 'export const en = {};\n',
  'src/features/c/more/en.ts': 'export const more = {};\n',
  'content/en/terms.md': 'Terms\n',
  'content/es-MX/terms.md': 'Términos\n',
  'test/locales/en/pages.test.ts': 'export {};\n',
  'src/features/a/test/en/a.test.ts': 'export {};\n',
  'src/features/a/test/card/a.test.ts': 'export {};\n',
};
const ENGLISH = Object.keys(FILES).filter(
  (path) => /(?:\/|^)en(?:-admin)?(?:\/|\.ts$)/.test(path) && !/more/.test(path),
);
const CARD = Object.keys(FILES).filter((path) => path.includes('card'));

function createShopWithAll() {
  const shop = createShop();
  shop.commit('main', FILES);
  return shop;
}

test('the list has flows and locales with their purpose', () => {
  using shop = createShopWithAll();

  const { parts } = JSON.parse(shop.features('--json').output) as { readonly parts: readonly unknown[] };

  expect(parts).toContainEqual({
    kind: 'flow',
    name: 'card',
    state: 'kept',
    needs: [],
    lines: 7,
    purpose: 'The card page.',
  });
  expect(parts).toContainEqual(expect.objectContaining({ kind: 'locale', name: 'en', lines: 8 }));
});

test('a removed flow loses its pages, texts, views, tests and script, and a restored one has them again', () => {
  using shop = createShopWithAll();
  const tree = shop.id('HEAD^{tree}');

  expect(shop.features('remove', 'card')).toMatchObject({ code: 0 });
  expect(CARD.filter(shop.has)).toEqual([]);
  expect(shop.has('src/flows/hosted/flow.ts')).toBe(true);
  expect(shop.record()).toMatchObject({ without: ['card'] });
  expect(shop.features('restore', 'card')).toMatchObject({ code: 0 });

  expect(shop.id('HEAD^{tree}')).toBe(tree);
});

test('the last payment flow is not removed', () => {
  using shop = createShopWithAll();
  const refused = { code: 1, output: 'The shop needs one payment flow: keep hosted or card.\n' };

  expect(shop.features('remove', 'card', 'hosted')).toMatchObject(refused);
  shop.features('remove', 'card');

  expect(shop.features('remove', 'hosted')).toMatchObject(refused);
  expect(shop.has('src/flows/hosted/flow.ts')).toBe(true);
});

test('a removed locale loses its messages in core, rooms and flows, and its pages', () => {
  using shop = createShopWithAll();
  const tree = shop.id('HEAD^{tree}');

  expect(shop.features('remove', 'en')).toMatchObject({ code: 0 });
  expect(ENGLISH.filter(shop.has)).toEqual([]);
  expect(['src/features/c/more/en.ts', 'content/es-MX/terms.md'].filter(shop.has)).toHaveLength(2);
  expect(shop.features('restore', 'en')).toMatchObject({ code: 0 });

  expect(shop.id('HEAD^{tree}')).toBe(tree);
});

test('the first locale is no part', () => {
  using shop = createShopWithAll();

  expect(shop.features('remove', 'es-mx')).toMatchObject({ code: 1, output: expect.stringContaining('es-mx') });
  expect(shop.has('src/locales/es-mx-admin.ts')).toBe(true);
});

test('while a locale is removed, a room is removed and restored without its texts, and the locale is restored with them', () => {
  using shop = createShopWithAll();
  const tree = shop.id('HEAD^{tree}');
  shop.features('remove', 'en');

  expect(shop.features('remove', 'c', 'card')).toMatchObject({ code: 0 });
  expect(shop.features('restore', 'c', 'card')).toMatchObject({ code: 0 });
  expect(['src/features/c/en.ts', 'src/flows/card/en.ts'].filter(shop.has)).toEqual([]);
  expect(['src/features/c/feature.ts', 'public/card.js'].filter(shop.has)).toHaveLength(2);
  shop.features('restore', 'en');

  expect(shop.id('HEAD^{tree}')).toBe(tree);
});

test('a locale is restored without the texts of a removed room, which has them when it is restored', () => {
  using shop = createShopWithAll();
  const tree = shop.id('HEAD^{tree}');
  shop.features('remove', 'c', 'en');

  expect(shop.features('restore', 'en')).toMatchObject({ code: 0 });
  expect(['src/features/a/en.ts', 'src/features/c/en.ts'].map(shop.has)).toEqual([true, false]);
  shop.features('restore', 'c');

  expect(shop.id('HEAD^{tree}')).toBe(tree);
});

test('in a merge a changed text and a new room lose the removed locale', () => {
  using shop = createShopWithAll();
  shop.git('branch', '--force', 'template');
  shop.features('remove', 'en');
  shop.commit('template', {
    'src/features/a/en.ts': 'export const en = { newer: 1 };\n',
    'src/features/d/feature.ts': '/** The gifts. */\nexport const d: Feature = {};\n',
    'src/features/d/en.ts': 'export const en = {};\n',
    'src/features/index.ts': 'export const ROOMS = [a, b, c, d];\n',
  });
  expect(shop.git('merge', 'template')).toMatchObject({ code: 1 });

  expect(shop.features('apply')).toMatchObject({ code: 0 });

  expect(['src/features/a/en.ts', 'src/features/d/en.ts'].filter(shop.has)).toEqual([]);
  expect(shop.read('src/features/index.ts')).toBe('export const ROOMS = [a, b, c, d];\n');
  expect(shop.git('commit', '--no-edit')).toMatchObject({ code: 0 });
});
