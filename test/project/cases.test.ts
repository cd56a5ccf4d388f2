import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const root = new URL('../..', import.meta.url);

/** A file of the project, as documents write it down; what follows the mark is part of a test's title. */
const REFERENCE =
  /^((?:src|test|tools|docs|public)\/[\w./-]*|\.[\w.-]+|package(?:-lock)?\.json)(?: › (.+))?$/;
const SCENARIO = /^drill: (.+)$/;
/** A text that comes right before a function: the title of a test, of whatever form. */
const TITLE = /(['"`])((?:(?!\1).)+)\1,\s*(?:async\s*)?\(/g;

/** The ids of the drill's scenarios; absent when the drill was deleted. */
const scenarios = existsSync(new URL('tools/drill', root))
  ? readdirSync(new URL('tools/drill/scenarios', root)).flatMap((name) =>
      [...read(`tools/drill/scenarios/${name}`).matchAll(/^ {2}id: '([\w-]+)'/gm)].map(([, id]) => id),
    )
  : undefined;

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

/** What a text quotes as code. */
function quotesIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, quote = '']) => quote);
}

function isReference(quote: string): boolean {
  return SCENARIO.test(quote) || REFERENCE.test(quote);
}

/** Why a quoted reference is not true. */
function wrongIn(quote: string): string | undefined {
  const [, scenario] = SCENARIO.exec(quote) ?? [];
  if (scenario !== undefined) {
    return !scenarios || scenarios.includes(scenario) ? undefined : 'no such scenario';
  }
  const [, path = '', title] = REFERENCE.exec(quote) ?? [];
  const [tool] = /^tools\/[\w-]+/.exec(path) ?? [];
  if (tool !== undefined && !existsSync(new URL(tool, root))) return undefined;
  if (!existsSync(fileURLToPath(new URL(path, root)))) return 'no such file';
  if (title === undefined) return undefined;
  const titles = [...read(path).matchAll(TITLE)].map(([, , text = '']) => text);
  return titles.some((text) => text.includes(title)) ? undefined : 'no such test';
}

/** The cells of every row whose first one is as the pattern asks. */
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

describe.each(['docs/internals/cases.md', 'docs/internals/asvs.md'])('the references of %s', (path) => {
  const references = quotesIn(read(path)).filter(isReference);

  test('are many, and each names a file, a test or a scenario that there is', () => {
    const wrong = references.flatMap((quote) => {
      const reason = wrongIn(quote);
      return reason === undefined ? [] : [`${quote}: ${reason}`];
    });

    expect(references.length).toBeGreaterThan(80);
    expect(wrong).toEqual([]);
  });

  test('are all in a form that is checked', () => {
    const unread = quotesIn(read(path)).filter((quote) => /›|\.test\.ts|^drill/.test(quote));

    expect(unread.filter((quote) => !isReference(quote))).toEqual([]);
  });
});

describe('the cases', () => {
  const document = read('docs/internals/cases.md');
  const rows = rowsOf(document, /^\d+$/);
  const numbers = rows.map(([number]) => Number(number));

  test('have a row for each number from 1 to the last that is not said to be without a case', () => {
    const [, listed = ''] = /^Numbers without a case: ([\d,\s]+)\.$/m.exec(document) ?? [];
    const unused = listed.split(',').map(Number);

    const all = [...numbers, ...unused].sort((one, other) => one - other);

    expect(all).toEqual(all.map((_, place) => place + 1));
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
    expect(Math.max(...unused)).toBeLessThan(Math.max(...numbers));
  });

  test('are each shown by something, or say in words why not', () => {
    const silent = rows.filter(
      ([, what = '', shown = '']) =>
        what.length < 10 ||
        !(quotesIn(shown).some(isShown) || /^(?:not shown\.|does not apply:) .{20,}/.test(shown)),
    );

    expect(silent).toEqual([]);
  });
});

/** A test by its title, or a scenario. */
function isShown(quote: string): boolean {
  return SCENARIO.test(quote) || REFERENCE.exec(quote)?.[2] !== undefined;
}

describe('the requirements of the standard', () => {
  const rows = rowsOf(read('docs/internals/asvs.md'), /^v5\.0\.0-/);

  test('stand once each, under their chapter, with what meets them', () => {
    const named = rows.flatMap(([first = '']) => first.match(/v5\.0\.0-\d+\.\d+\.\d+/g) ?? []);
    const silent = rows.filter(([, level = '', by = '', shown = '']) => {
      return (
        !/^[12](?:, [12])?$/.test(level) || by.length < 5 || (shown !== '–' && !quotesIn(shown).some(isShown))
      );
    });

    expect(named.length).toBeGreaterThan(80);
    expect(new Set(named).size).toBe(named.length);
    expect(silent).toEqual([]);
  });

  test('leave out no chapter', () => {
    const headings = read('docs/internals/asvs.md')
      .split('\n')
      .filter((line) => line.startsWith('## '))
      .join();

    const chapters = (headings.match(/\bV\d+/g) ?? []).map((name) => Number(name.slice(1)));

    expect(chapters).toEqual(Array.from({ length: 17 }, (_, place) => place + 1));
  });
});
