import { describe, expect, test } from '@jest/globals';
import { presentAnswers, withName } from '../../src/new-shop/answers.js';
import { askAnswers } from '../../src/new-shop/ask.js';
import { tidyDocuments, withoutSection } from '../../src/new-shop/documents.js';
import { applyEdits } from '../../src/new-shop/edit.js';
import { readOptions } from '../../src/new-shop/options.js';
import { withSettings } from '../../src/new-shop/settings-file.js';

const PRESENT = {
  name: 'Tianguis',
  money: 'symbol',
  languages: ['es-MX', 'en'],
  ways: ['hosted', 'card'],
} as const;

describe('the options', () => {
  test('are read into answers', () => {
    const args = [
      '--name',
      ' Casa Jacaranda ',
      '--money',
      'code',
      '--languages',
      'en,es-MX',
      '--ways',
      'card',
      '--yes',
    ];

    expect(readOptions(args)).toEqual({
      ...{ help: false, yes: true, dryRun: false },
      ...{ name: 'Casa Jacaranda', money: 'code', languages: ['en', 'es-MX'], ways: ['card'] },
    });
  });

  test.each([
    ['--name', ''],
    ['--name', 'a\nb'],
    ['--name', '<b>'],
    ['--name', 'x'.repeat(61)],
    ['--money', 'dollars'],
    ['--languages', 'fr'],
    ['--languages', ','],
    ['--ways', 'cash'],
    ['--ways', ','],
  ])('are refused by name: %s %j', (option, value) => {
    expect(() => readOptions([option, value])).toThrow(option);
  });

  test('that nobody knows are refused', () => {
    expect(() => readOptions(['--color', 'red'])).toThrow('--color');
  });
});

describe('the questions', () => {
  test('are asked where no option answers, again where the answer is wrong; an empty one leaves things as they are', async () => {
    const typed = ['', 'dollars', '', 'code', 'hosted'];
    const asked: string[] = [];
    const askLine = async (question: string) => {
      asked.push(question);
      return String(typed.shift());
    };
    const options = readOptions(['--languages', 'en,es-MX']);

    const answers = await askAnswers(askLine, options, PRESENT);

    expect(answers).toEqual({
      name: 'Tianguis',
      money: 'code',
      languages: ['en', 'es-MX'],
      ways: ['hosted'],
    });
    expect(asked).toHaveLength(5);
    expect(asked[0]).toContain('[Tianguis]');
  });
});

describe('the texts', () => {
  test('a name with an apostrophe is written and read again', () => {
    const text = withName(`export const BRAND = 'Tianguis';\n`, `L'Atelier $& Cía`);

    expect(text).toBe(`export const BRAND = 'L\\'Atelier $& Cía';\n`);
    expect(presentAnswers(new Map([['src/words/brand.ts', text]])).name).toBe(`L'Atelier $& Cía`);
  });

  test.each([
    ['', ['es-MX', 'en']],
    ['DEFAULT_LOCALE=en\n', ['en', 'es-MX']],
    ['LANGUAGES=en,es-MX\n', ['en', 'es-MX']],
    ['DEFAULT_LOCALE=\nLANGUAGES=es-MX\n', ['es-MX']],
    ['DEFAULT_LOCALE=en\nLANGUAGES=es-MX, en\n', ['en', 'es-MX']],
  ])('the settings %j speak %j', (settings, expected) => {
    expect(presentAnswers(new Map([['.env', settings]])).languages).toEqual(expected);
  });

  test('settings keep what is there, at its place', () => {
    const text = '# mine\nDEFAULT_LOCALE=es-MX\nPORT=3001\nWAYS_TO_PAY=card\n';
    const settings = { DEFAULT_LOCALE: 'en', MAIL_FROM: 'Café #1 <a@b>', WAYS_TO_PAY: undefined };

    expect(withSettings(text, settings)).toBe(
      '# mine\nDEFAULT_LOCALE=en\nPORT=3001\nMAIL_FROM="Café #1 <a@b>"\n',
    );
    expect(withSettings('', {})).toBe('');
  });

  test('an edit that does not find its text once changes nothing and names the file', () => {
    const files = new Map([['a.txt', 'one two two']]);

    expect(applyEdits(files, [{ path: 'a.txt', find: 'one', put: '1' }]).get('a.txt')).toBe('1 two two');
    expect(() => applyEdits(files, [{ path: 'a.txt', find: 'two', put: '2' }])).toThrow('a.txt');
    expect(() => applyEdits(files, [{ path: 'b.txt', find: 'two', put: '2' }])).toThrow('b.txt');
  });

  test('documents name in their tables no more what is gone', () => {
    const files = new Map([
      [
        'docs/cases.md',
        '| 1 | tea | `test/tea.test.ts › is hot, or not` · `test/cup.test.ts › is round` |\n| 2 | leaf | `drill: leaf` |',
      ],
      ['test/tea.test.ts', `test('is hot, or not')`],
      ['test/cup.test.ts', `test('is round')`],
      ['src/drill/leaf.ts', `id: 'leaf'`],
    ]);
    const after = new Map([...files].filter(([path]) => !/tea|leaf/.test(path)));

    expect(tidyDocuments(files, after).get('docs/cases.md')).toBe(
      '| 1 | tea | `test/cup.test.ts › is round` |\n| 2 | leaf | does not apply: it is about a way to pay that this shop does not have |',
    );
  });

  test('a section goes by its heading', () => {
    const text = '# Guide\n\n## One\n\n1\n\n## Two\n\n2\n';

    expect(withoutSection(text, 'One')).toBe('# Guide\n\n## Two\n\n2\n');
    expect(() => withoutSection(text, 'Three')).toThrow('Three');
  });
});
