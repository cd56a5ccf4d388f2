import { setImmediate } from 'node:timers/promises';
import type { Locale } from '../shop/rules/locale.js';
import type { StoredSettings } from '../shop/rules/shop-settings.js';
import { type ContentFile, readContentFiles } from './content-files.js';
import { type AssetUrl, type ParsedMarkdown, parseMarkdown } from './markdown.js';

/** A page of `content/`. */
export interface ContentPage {
  readonly slug: string;
  /** Locale of the text. */
  readonly locale: Locale;
  /** Text of the first heading. */
  readonly title: string;
  /** Returns the rendered text. A replaced picture has its new address. */
  readonly html: () => string;
  /** The header links to the page. */
  readonly header: boolean;
  /** Place in the footer and the header. */
  readonly order: number;
  /** The text as Markdown, with its placeholders. */
  readonly text: string;
  /** Path of the file, if it is a sample text. */
  readonly sample: string | undefined;
  /** The file in place of which the text was stored. `nothing`: the locale has no file. Absent: the text is of the file. */
  readonly replaced?: ContentFile | 'nothing';
}

/** The pages by slug, by their `order`, then by slug. */
export type ContentPages = ReadonlyMap<string, ContentPage>;

/** Returns the pages in a locale. A page without a file in this locale has the text of the first locale that has one. */
export type ContentIn = (locale: Locale) => ContentPages;

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
/** The checkout links to these pages. */
const REQUIRED = ['privacy', 'terms'];

/** What the texts of a folder refer to. */
export interface ContentParts {
  /** Returns the values of the placeholders in a locale, as Markdown. */
  readonly valuesIn: (locale: Locale) => Readonly<Record<string, string>>;
  /** Returns the address of a picture below `public/`. */
  readonly assetUrl: AssetUrl;
  /** The texts that the merchant changed, as `pages.<locale>.<slug>`. */
  readonly stored?: StoredSettings;
}

type PageName = Pick<ContentFile, 'locale' | 'slug'>;

/**
 * Returns the name of the setting with the text of a page.
 * @public also used by features
 */
export function pageSetting({ locale, slug }: PageName): string {
  return `pages.${locale}.${slug}`;
}

/** A parsed text, or what is wrong in it. */
export type ParsedContent = ParsedMarkdown | { readonly problem: 'placeholder'; readonly name: string };

/** Parses the stored texts before they are used. Other requests run between two of them. */
export async function parseStoredTexts(
  { stored, valuesIn, assetUrl }: ContentParts,
  locales: readonly Locale[],
): Promise<void> {
  for (const locale of locales)
    for (const [name, text] of stored ?? []) {
      if (typeof text !== 'string' || !name.startsWith(pageSetting({ locale, slug: '' }))) continue;
      parseContent(text, valuesIn(locale), assetUrl);
      await setImmediate();
    }
}

/**
 * Parses a text. `values` are those of its placeholders, as Markdown.
 * @public also used by features
 */
export function parseContent(
  text: string,
  values: Readonly<Record<string, string>>,
  assetUrl: AssetUrl,
): ParsedContent {
  const names = [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  const unknown = names.find((name) => !Object.hasOwn(values, name));
  if (unknown !== undefined) return { problem: 'placeholder', name: unknown };
  return parseMarkdown(
    text.replace(PLACEHOLDER, (_match, name: string) => values[name] ?? ''),
    assetUrl,
  );
}

/**
 * Reads and renders the files of the folder `content` in the offered locales. `{{merchant.email}}` in a text becomes
 * `valuesIn(locale)['merchant.email']`. Throws with the name of a file that has no heading or an unknown placeholder.
 * Also throws if a page is missing to which the checkout links. A stored text with such a problem is not used.
 */
export function loadContentPages(directory: string, locales: readonly Locale[], parts: ContentParts): ContentIn {
  const files = readContentFiles(directory, locales);
  const slugs = [...new Set(files.map(({ slug }) => slug))].sort((a, b) => a.localeCompare(b));
  const missing = REQUIRED.find((slug) => !slugs.includes(slug));
  if (missing !== undefined) throw new Error(`content/${locales[0]}/${missing}.md is missing`);
  const pages = locales.flatMap((locale) => slugs.flatMap((slug) => pageOf({ locale, slug }, files, parts)));
  const pagesIn = (locale: Locale) =>
    new Map(
      slugs
        .flatMap((slug) => pageIn(pages, slug, locale))
        .sort((a, b) => a.order - b.order)
        .map((page) => [page.slug, page]),
    );
  const byLocale = new Map(locales.map((locale) => [locale, pagesIn(locale)]));
  return (locale) => byLocale.get(locale) ?? new Map();
}

function pageIn(pages: readonly ContentPage[], slug: string, locale: Locale): readonly ContentPage[] {
  const texts = pages.filter((page) => page.slug === slug);
  const page = texts.find((text) => text.locale === locale) ?? texts[0];
  return page ? [page] : [];
}

/** Pages without a number follow the others. */
const LAST = 10_000;

/** Returns the page with its stored text, or else that of its file. Front matter is that of the file, or of another locale. */
function pageOf(
  { locale, slug }: PageName,
  files: readonly ContentFile[],
  { stored, valuesIn, assetUrl }: ContentParts,
): readonly ContentPage[] {
  const file = files.find((each) => each.slug === slug && each.locale === locale);
  const { frontMatter } = file ?? files.find((each) => each.slug === slug) ?? {};
  const page = {
    slug,
    locale,
    order: Number(frontMatter?.get('order') ?? LAST),
    header: frontMatter?.get('header') === 'true',
  };
  const parse = (text: string) => parseContent(text, valuesIn(locale), assetUrl);
  const own = file && parse(file.text);
  if (own?.problem) throw new Error(`${file?.path} ${problemText(own)}`);
  const text = stored?.get(pageSetting(page));
  const written = typeof text === 'string' ? parse(text) : undefined;
  if (typeof text === 'string' && written && !written.problem)
    return [{ ...page, ...written, text, sample: undefined, replaced: file ?? 'nothing' }];
  return file && own ? [{ ...page, ...own, text: file.text, sample: file.isSample ? file.path : undefined }] : [];
}

function problemText(parsed: Exclude<ParsedContent, { readonly title: string }>): string {
  if (parsed.problem === 'placeholder') return `has the unknown placeholder {{${parsed.name}}}`;
  return parsed.problem === 'heading' ? 'has no heading' : 'is too long, or has too many marks or too deep ones';
}
