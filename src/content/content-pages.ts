import { Marked, type Tokens } from 'marked';
import type { Locale } from '../domain/locale.js';
import { type ContentFile, readContentFiles } from './content-files.js';

/** A page of `content/`. */
export interface ContentPage {
  readonly slug: string;
  /** Locale of the text. */
  readonly locale: Locale;
  /** Text of the first heading. */
  readonly title: string;
  readonly html: string;
  /** Path of the file, if it is a sample text. */
  readonly sample: string | undefined;
}

/** The pages by slug, in the order of their slugs. */
export type ContentPages = ReadonlyMap<string, ContentPage>;

/** Returns the pages in a locale. A page without a file in this locale has the text of the first locale that has one. */
export type ContentIn = (locale: Locale) => ContentPages;

/** The checkout links to these pages. */
const REQUIRED = ['privacy', 'terms'];

// Without these two rules HTML is plain text, which the renderer escapes.
const markdown = new Marked({ tokenizer: { html: () => undefined, tag: () => undefined } });

/**
 * Reads and renders the files of the folder `content` in the offered locales. `{{merchant.email}}` in a text becomes
 * `values['merchant.email']`. Throws with the name of a file that has no heading or an unknown placeholder. Also
 * throws if a page is missing to which the checkout links.
 */
export function loadContentPages(
  directory: string,
  locales: readonly Locale[],
  values: Readonly<Record<string, string>>,
): ContentIn {
  const pages = readContentFiles(directory, locales).map((file) => renderPage(file, values));
  const slugs = [...new Set(pages.map(({ slug }) => slug))].sort((a, b) => a.localeCompare(b));
  const missing = REQUIRED.find((slug) => !slugs.includes(slug));
  if (missing !== undefined) throw new Error(`content/${locales[0]}/${missing}.md is missing`);
  const pagesIn = (locale: Locale) =>
    new Map(slugs.flatMap((slug) => pageIn(pages, slug, locale)).map((page) => [page.slug, page]));
  const byLocale = new Map(locales.map((locale) => [locale, pagesIn(locale)]));
  return (locale) => byLocale.get(locale) ?? new Map();
}

function pageIn(pages: readonly ContentPage[], slug: string, locale: Locale): readonly ContentPage[] {
  const texts = pages.filter((page) => page.slug === slug);
  const page = texts.find((text) => text.locale === locale) ?? texts[0];
  return page ? [page] : [];
}

function renderPage(
  { slug, locale, path, text, isSample }: ContentFile,
  values: Readonly<Record<string, string>>,
): ContentPage {
  const filled = text.replace(/\{\{([^{}]*)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${path} has the unknown placeholder {{${name}}}`);
    return value;
  });
  const tokens = markdown.lexer(filled);
  const heading = tokens.find((token): token is Tokens.Heading => token.type === 'heading');
  if (!heading) throw new Error(`${path} has no heading`);
  const html = markdown.parser(tokens);
  return { slug, locale, title: heading.text, html, sample: isSample ? path : undefined };
}
