import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { isInRemovedPart } from './support/removed-parts.js';

const root = new URL('../..', import.meta.url);

/** A file of the project, optionally with a part of a test title. */
const REFERENCE = /^((?:src|test|tools|docs|public|packages)\/[\w./-]*|\.[\w.-]+|package(?:-lock)?\.json)(?: › (.+))?$/;
const SCENARIO = /^drill: (.+)$/;
/** A text before a function: the title of a test. */
const TITLE = /(['"`])((?:(?!\1).)+)\1,\s*(?:\w+,\s*)?(?:async\s*)?\(/g;

/** The ids of the drill scenarios, or `undefined` when the drill was deleted. */
const scenarios = existsSync(new URL('tools/drill', root))
  ? readdirSync(new URL('tools/drill/scenarios', root)).flatMap((name) =>
      [...read(`tools/drill/scenarios/${name}`).matchAll(/^ {2}id: '([\w-]+)'/gm)].map(([, id]) => id),
    )
  : undefined;

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

/** Returns the code spans of a text. */
function quotesIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, quote = '']) => quote);
}

function isReference(quote: string): boolean {
  return SCENARIO.test(quote) || REFERENCE.test(quote);
}

/** Returns why a reference is wrong, or `undefined`. */
function wrongIn(quote: string): string | undefined {
  const [, scenario] = SCENARIO.exec(quote) ?? [];
  if (scenario !== undefined) {
    return !scenarios || scenarios.includes(scenario) ? undefined : 'no such scenario';
  }
  const [, path = '', title] = REFERENCE.exec(quote) ?? [];
  if (isInRemovedPart(path)) return undefined;
  if (!existsSync(fileURLToPath(new URL(path, root)))) return 'no such file';
  if (title === undefined) return undefined;
  const titles = [...read(path).matchAll(TITLE)].map(([, , text = '']) => text);
  return titles.some((text) => text.includes(title)) ? undefined : 'no such test';
}

/** Returns the cells of each table row whose first cell matches. */
function rowsOf(document: string, first: RegExp): readonly (readonly string[])[] {
  return document
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(([cell = '']) => first.test(cell));
}

describe.each([
  ['docs/internals/cases.md', 80],
  ['docs/internals/asvs.md', 80],
  ['docs/internals/pci.md', 20],
  ['docs/internals/engines.md', 3],
] as const)('the references of %s', (path, count) => {
  const references = quotesIn(read(path)).filter(isReference);

  test('the references name files, tests and scenarios that exist', () => {
    const wrong = references.flatMap((quote) => {
      const reason = wrongIn(quote);
      return reason === undefined ? [] : [`${quote}: ${reason}`];
    });

    expect(references.length).toBeGreaterThan(count);
    expect(wrong).toEqual([]);
  });

  test('the references are written in a form that is checked', () => {
    const unread = quotesIn(read(path)).filter((quote) => /›|\.test\.ts|^drill/.test(quote));

    expect(unread.filter((quote) => !isReference(quote))).toEqual([]);
  });
});

describe('docs/internals/cases.md', () => {
  const document = read('docs/internals/cases.md');
  const rows = rowsOf(document, /^\d+$/);
  const numbers = rows.map(([number]) => Number(number));

  test('the list of cases has a row for each number up to the last, in order, except the numbers listed as unused', () => {
    const [, listed = ''] = /^Numbers without a case: ([\d,\s]+)\.$/m.exec(document) ?? [];
    const unused = listed.split(',').map(Number);

    const all = [...numbers, ...unused].sort((one, other) => one - other);

    expect(all).toEqual(all.map((_, place) => place + 1));
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
    expect(Math.max(...unused)).toBeLessThan(Math.max(...numbers));
  });

  test('the list of cases names a test or scenario for each case, or the reason why there is none', () => {
    const unproven = rows.filter(
      ([, what = '', shown = '']) =>
        what.length < 10 || !(quotesIn(shown).some(isShown) || /^(?:not shown\.|does not apply:) .{20,}/.test(shown)),
    );

    expect(unproven).toEqual([]);
  });
});

/** Returns whether a code span names a test or a scenario. */
function isShown(quote: string): boolean {
  return SCENARIO.test(quote) || REFERENCE.exec(quote)?.[2] !== undefined;
}
