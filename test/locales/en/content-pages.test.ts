import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { loadContentPages } from '../../../src/content/content-pages.js';
import type { Locale } from '../../../src/shop/rules/locale.js';

const FILES = {
  'es-MX/privacy.md': '# Aviso',
  'es-MX/terms.md': '# Términos',
  'en/terms.md': '# Terms',
  'en/only-english.md': '# Only English',
};

test('a page without a file in a locale has the text of the first offered locale that has one', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tianguis-content-'));
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  const load = (...locales: readonly Locale[]) =>
    loadContentPages(directory, locales, { valuesIn: () => ({}), assetUrl: (path) => path });

  const contentIn = load('es-MX', 'en');
  const inSpanish = load('es-MX');
  await rm(directory, { recursive: true });

  expect([...contentIn('en').values()].map(({ slug, title }) => [slug, title])).toEqual([
    ['only-english', 'Only English'],
    ['privacy', 'Aviso'],
    ['terms', 'Terms'],
  ]);
  expect(contentIn('en').get('privacy')?.locale).toBe('es-MX');
  expect(contentIn('es-MX').get('only-english')?.locale).toBe('en');
  expect(inSpanish('es-MX').has('only-english')).toBe(false);
});

test('a stored text is the page of a locale without a file, with the place of the page that has one', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tianguis-content-'));
  await mkdir(join(directory, 'es-MX'));
  for (const [name, text] of [
    ['privacy', '# Aviso'],
    ['terms', '---\norder: 2\n---\n# Términos'],
  ])
    await writeFile(join(directory, 'es-MX', `${name}.md`), text ?? '');
  const stored = new Map([['pages.en.terms', '# Mine']]);
  const parts = { valuesIn: () => ({}), assetUrl: (path: string) => path, stored };
  const contentIn = loadContentPages(directory, ['es-MX', 'en'], parts);
  await rm(directory, { recursive: true });

  expect(contentIn('en').get('terms')).toMatchObject({ title: 'Mine', locale: 'en', order: 2, replaced: 'nothing' });
  expect(contentIn('es-MX').get('terms')?.title).toBe('Términos');
});
