import { describe, expect, test } from '@jest/globals';
import { type Marks, prune } from '../../src/new-shop/code/prune.js';

const TEA: Marks = { names: ['pourTea'], texts: /\/tea\b/ };

function pruned(files: Readonly<Record<string, string>>, marks: Marks = TEA) {
  const before = new Map(Object.entries(files));
  const after = prune(before, { before, isPruned: (path) => path.startsWith('test/'), marks });
  return Object.fromEntries([...after].map(([path, text]) => [path, text.replace(/\s+/g, ' ').trim()]));
}

describe('what mentions a thing that is gone', () => {
  test('goes by the test, and its group goes when no test is left', () => {
    const files = pruned({
      'test/cups.test.ts': `
        describe('tea', () => { test('is poured', () => pourTea()); });
        describe('cups', () => {
          test('of tea', () => visit('/tea'));
          test('are washed', () => wash());
        });`,
    });

    expect(files).toEqual({
      'test/cups.test.ts': `describe('cups', () => { test('are washed', () => wash()); });`,
    });
  });

  test('takes its file along when no test is left in it', () => {
    expect(pruned({ 'test/tea.test.ts': `test('tea', () => visit('/tea'));` })).toEqual({});
  });

  test('goes by the row of a table, and with its test when no row is left', () => {
    const files = pruned({
      'test/rows.test.ts': `
        test.each([['/tea', 1], ['/milk', 2]])('%s', (path) => visit(path));
        test.each([['/tea', 1]])('only %s', (path) => visit(path));
        test('every address', () => { for (const path of ['/milk', '/tea']) visit(path); });
        const MENU = [{ says: 'tea', play: () => pourTea() }, { says: 'milk', play: () => {} }];`,
    });

    expect(files).toEqual({
      'test/rows.test.ts': [
        `test.each([ ['/milk', 2]])('%s', (path) => visit(path));`,
        `test('every address', () => { for (const path of ['/milk',]) visit(path); });`,
        `const MENU = [ { says: 'milk', play: () => {} }];`,
      ].join(' '),
    });
  });

  test('takes along whoever uses it: functions, members and names that other files import', () => {
    const files = pruned({
      'test/support/guest.ts': `
        export class Guest { drink() { return visit('/tea'); } eat() {} }
        export function party() { return pourTea(); }
        export function lunch() {}`,
      'test/party.test.ts': `
        import { Guest, lunch, party } from './support/guest.js';
        test('party', () => party());
        test('drinks', () => new Guest().drink());
        test('lunch', () => lunch());`,
    });

    expect(files['test/support/guest.ts']).toBe('export class Guest { eat() {} } export function lunch() {}');
    expect(files['test/party.test.ts']).toMatch(/test\('lunch', \(\) => lunch\(\)\);$/);
    expect(files['test/party.test.ts']).not.toMatch(/party\(|drinks/);
  });

  test('is found by the import of a file that is there no more', () => {
    const before = new Map([
      ['src/tea.ts', 'export const tea = 1;'],
      [
        'test/a.test.ts',
        `import { tea } from '../src/tea.js'; test('tea', () => tea); test('milk', () => 1);`,
      ],
    ]);
    const files = new Map([...before].filter(([path]) => path !== 'src/tea.ts'));

    const after = prune(files, { before, isPruned: () => true, marks: { names: [], texts: /^$/ } });

    expect(after.get('test/a.test.ts')).toMatch(
      /^import \{\s*\} from '..\/src\/tea.js';\s*test\('milk', \(\) => 1\);$/,
    );
  });

  test('is known by its id too', () => {
    const files = pruned({
      'test/menu.ts': `export const tea = { id: 'hot-tea', play: () => pourTea() };`,
      'test/menu.test.ts': `
        const SERVED = ['hot-tea', 'cold-milk'];
        test('all', () => serve(SERVED));
        test('tea', () => serve('hot-tea'));`,
    });

    expect(files['test/menu.test.ts']).toBe(
      "const SERVED = [ 'cold-milk']; test('all', () => serve(SERVED));",
    );
  });

  test('stays in files that are not pruned', () => {
    const source = { 'src/tea.ts': 'export const path = "/tea";' };

    expect(pruned(source)).toEqual(source);
  });
});
