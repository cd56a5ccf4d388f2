import { expect, test } from '@jest/globals';
import { cutKeys, cutNames } from '../../src/new-shop/code/cut.js';
import { sweep } from '../../src/new-shop/code/sweep.js';

const before = new Map([
  ['src/shop.ts', `import { tea } from './tea.js';\nimport { cup } from './cup.js';\ntea(cup);`],
  ['src/tea.ts', `import { leaf } from './leaf.js';\nexport function tea(_: unknown) { leaf(); }`],
  [
    'src/leaf.ts',
    `export function leaf() { return green(); }\nexport function green() { return dry; }\nconst dry = 1;`,
  ],
  ['src/cup.ts', `export const cup = handle;\nexport const handle = 1;`],
  ['src/door.ts', `import { handle } from './cup.js';\nhandle;`],
  ['src/idle.ts', `export const idle = 1;`],
]);

test('what nothing uses any more goes, with what only it used; what was idle before stays', () => {
  const after = sweep(
    before,
    new Map([
      ...before,
      ['src/shop.ts', `import { tea } from './tea.js';\nimport { cup } from './cup.js';\ncup;`],
    ]),
  );

  expect([...after.keys()]).toEqual(['src/shop.ts', 'src/cup.ts', 'src/door.ts', 'src/idle.ts']);
  expect(after.get('src/shop.ts')).toBe(`import { cup } from './cup.js';\ncup;`);
});

test('what only its own file still uses is exported no more', () => {
  const after = sweep(before, new Map([...before].filter(([path]) => path !== 'src/door.ts')));

  expect(after.get('src/cup.ts')).toBe(`export const cup = handle;\nconst handle = 1;`);
});

test('declarations, members and properties are cut by name, and words by their keys', () => {
  const code = `interface Menu { tea(): void; milk(): void }\nconst make = { tea: 1, milk: 2 };\nfunction tea() {}`;
  const words = `const words = { titles: { tea: 'Tea', milk: 'Milk' }, tea: 'Tea' };`;

  expect(cutNames(code, ['tea']).replace(/\s+/g, ' ')).toBe(
    'interface Menu { milk(): void } const make = { milk: 2 };',
  );
  expect(cutKeys(words, ['titles.tea']).replace(/\s+/g, ' ')).toBe(
    `const words = { titles: { milk: 'Milk' }, tea: 'Tea' };`,
  );
  expect(() => cutNames(code, ['tea', 'coffee'])).toThrow('there is no coffee');
  expect(() => cutKeys(words, ['milk'])).toThrow('there is no milk');
});
