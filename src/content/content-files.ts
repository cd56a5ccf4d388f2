import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locale } from '../domain/locale.js';

/** A file `content/<locale>/<slug>.md`. */
export interface ContentFile {
  readonly slug: string;
  readonly locale: Locale;
  /** Path below the project, for messages. */
  readonly path: string;
  /** The text without the line that marks a sample. */
  readonly text: string;
  readonly isSample: boolean;
}

/** First line of a sample text. */
const SAMPLE_LINE = /^\uFEFF?<!-- sample -->\r?\n/;
const FILE_NAME = /^([a-z0-9-]+)\.md$/;

/** Reads the texts of these locales, in their order. A missing folder has none. Other file names are ignored. */
export function readContentFiles(directory: string, locales: readonly Locale[]): readonly ContentFile[] {
  return locales.flatMap((locale) => {
    const folder = join(directory, locale);
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names.flatMap((name) => {
      const [, slug] = FILE_NAME.exec(name) ?? [];
      if (slug === undefined) return [];
      const source = readFileSync(join(folder, name), 'utf8');
      const text = source.replace(SAMPLE_LINE, '');
      return [{ slug, locale, path: `content/${locale}/${name}`, text, isSample: text !== source }];
    });
  });
}
