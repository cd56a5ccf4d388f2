import { Marked, Renderer, type Tokens, type TokensList } from 'marked';
import type { Locale } from '../shop/rules/locale.js';
import type { StoredSettings } from '../shop/rules/shop-settings.js';
import { type ContentFile, readContentFiles } from './content-files.js';

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
  /** Path of the file, if it is a sample text. */
  readonly sample: string | undefined;
}

/** The pages by slug, by their `order`, then by slug. */
export type ContentPages = ReadonlyMap<string, ContentPage>;

/** Returns the pages in a locale. A page without a file in this locale has the text of the first locale that has one. */
export type ContentIn = (locale: Locale) => ContentPages;

/** The checkout links to these pages. */
const REQUIRED = ['privacy', 'terms'];

/** `assetUrl` returns the address of a picture below `public/`. */
function createMarkdown(assetUrl: (path: string) => string): Marked {
  return new Marked({
    // Without these two rules HTML is plain text, which the renderer escapes.
    tokenizer: { html: () => undefined, tag: () => undefined },
    renderer: {
      image(token) {
        return Renderer.prototype.image.call(this, { ...token, href: assetUrl(token.href) });
      },
    },
  });
}

/** Returns the addresses of the pictures in a text. */
export function picturesIn(text: string): readonly string[] {
  const pictures: string[] = [];
  const collect = (path: string) => {
    pictures.push(path);
    return path;
  };
  void createMarkdown(collect).parse(text);
  return pictures;
}

/** What the texts of a folder refer to. */
export interface ContentParts {
  /** Returns the values of the placeholders in a locale, as Markdown. */
  readonly valuesIn: (locale: Locale) => Readonly<Record<string, string>>;
  /** Returns the address of a picture below `public/`. */
  readonly assetUrl: (path: string) => string;
  /** The texts that the merchant changed, as `pages.<locale>.<slug>`. */
  readonly stored?: StoredSettings;
}

/** Returns the name of the setting with the text of a page. */
function pageSetting({ locale, slug }: Pick<ContentFile, 'locale' | 'slug'>): string {
  return `pages.${locale}.${slug}`;
}

/** Returns the text that the merchant changed, which is no sample. Front matter stays that of the file. */
function withStoredText(file: ContentFile, stored: StoredSettings | undefined): ContentFile {
  const text = stored?.get(pageSetting(file));
  return typeof text === 'string' ? { ...file, text, isSample: false } : file;
}

/**
 * Reads and renders the files of the folder `content` in the offered locales. `{{merchant.email}}` in a text becomes
 * `valuesIn(locale)['merchant.email']`. Throws with the name of a file that has no heading or an unknown placeholder.
 * Also throws if a page is missing to which the checkout links.
 */
export function loadContentPages(directory: string, locales: readonly Locale[], parts: ContentParts): ContentIn {
  const markdown = createMarkdown(parts.assetUrl);
  const pages = readContentFiles(directory, locales).map((each) => {
    const file = withStoredText(each, parts.stored);
    const tokens = markdown.lexer(fill(file, parts.valuesIn(file.locale)));
    return pageOf(file, tokens, () => markdown.parser(tokens));
  });
  const slugs = [...new Set(pages.map(({ slug }) => slug))].sort((a, b) => a.localeCompare(b));
  const missing = REQUIRED.find((slug) => !slugs.includes(slug));
  if (missing !== undefined) throw new Error(`content/${locales[0]}/${missing}.md is missing`);
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

/** Returns the text with the values of its placeholders. */
function fill({ path, text }: ContentFile, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{([^{}]*)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${path} has the unknown placeholder {{${name}}}`);
    return value;
  });
}

/** Pages without a number follow the others. */
const LAST = 10_000;

function pageOf(file: ContentFile, tokens: TokensList, html: () => string): ContentPage {
  const { slug, locale, path, frontMatter, isSample } = file;
  const heading = tokens.find((token): token is Tokens.Heading => token.type === 'heading');
  if (!heading) throw new Error(`${path} has no heading`);
  const order = Number(frontMatter.get('order') ?? LAST);
  const header = frontMatter.get('header') === 'true';
  return { slug, locale, title: heading.text, html, order, header, sample: isSample ? path : undefined };
}
