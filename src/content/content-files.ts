import { isUtf8 } from 'node:buffer';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locale } from '../shop/rules/locale.js';

/** A file `content/<locale>/<slug>.md`. */
export interface ContentFile {
  readonly slug: string;
  readonly locale: Locale;
  /** Path below the project, for messages. */
  readonly path: string;
  /** The text without front matter and without the line that marks a sample. */
  readonly text: string;
  /** The lines `name: value` between two lines `---` at the start of the file. */
  readonly frontMatter: ReadonlyMap<string, string>;
  readonly isSample: boolean;
  /** A file in another encoding has wrong letters. */
  readonly isUtf8: boolean;
}

/** First line of a sample text. */
const SAMPLE_LINE = /^\uFEFF?<!-- sample -->[ \t]*\r?\n/;
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*\r?\n/;
const FILE_NAME = /^([a-z0-9-]+)\.md$/;

/** Reads the texts of these locales, in their order. A missing folder has none. Other file names are ignored. */
export function readContentFiles(directory: string, locales: readonly Locale[]): readonly ContentFile[] {
  return locales.flatMap((locale) => {
    const folder = join(directory, locale);
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names.flatMap((name) => {
      const [, slug] = FILE_NAME.exec(name) ?? [];
      if (slug === undefined) return [];
      const bytes = readFileSync(join(folder, name));
      const file = readContent(bytes.toString());
      return [{ slug, locale, path: `content/${locale}/${name}`, isUtf8: isUtf8(bytes), ...file }];
    });
  });
}

/** Splits a file. The line of a sample stands before or after the front matter. */
function readContent(source: string): Pick<ContentFile, 'frontMatter' | 'isSample' | 'text'> {
  const start = source.replace(SAMPLE_LINE, '');
  const [matter = '', lines = ''] = FRONT_MATTER.exec(start) ?? [];
  const body = start.slice(matter.length);
  const text = body.replace(SAMPLE_LINE, '');
  const pairs = lines.split(/\r?\n/).map((line) => /^([^:]*):?(.*)$/.exec(line) ?? []);
  const entries = pairs.map(([, name = '', value = '']) => [name.trim(), value.trim()] as const);
  const frontMatter = new Map(entries.filter(([name]) => name !== ''));
  return { text, frontMatter, isSample: start !== source || text !== body };
}
