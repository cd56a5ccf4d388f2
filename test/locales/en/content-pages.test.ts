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
