import { brandWith } from '../locales/brand-settings.js';
import type { Locale } from '../shop/rules/locale.js';
import type { StoredSettings } from '../shop/rules/shop-settings.js';
import { type ContentFile, readContentFiles } from './content-files.js';
import { type ContentIn, type ContentPage, pageSetting, parseContent } from './content-pages.js';
import { asWritten } from './markdown.js';

/** Forms of the sample values in `src/locales/brand.ts`, and of an empty value. */
const SAMPLE_VALUE = /^$|\bde ejemplo\b|@(?:.+\.)?example(?:\.\w+)?$|0000 ?0000/i;

/**
 * Returns the sample texts of the offered locales and the sample values of the merchant, as `file: what is wrong`. What the
 * merchant stored in their place is written.
 */
export function findSampleTexts(
  directory: string,
  locales: readonly Locale[],
  stored: StoredSettings,
  merchant: Readonly<Record<string, string>> = brandWith(stored).merchant,
): readonly string[] {
  const isWritten = (file: ContentFile) => {
    const text = stored.get(pageSetting(file));
    return typeof text === 'string' && !hasProblem(text);
  };
  const files = readContentFiles(directory, locales).filter((file) => file.isSample && !isWritten(file));
  return [
    ...files.map(({ path }) => `${path}: is a sample; write your text and remove the first line`),
    ...sampleValues(merchant).map((name) => `src/locales/brand.ts: merchant.${name} is a sample or empty`),
  ];
}

/** A stored text with a problem is not shown. */
function hasProblem(text: string): boolean {
  const { problem } = parseContent(text, {}, asWritten);
  return problem === 'heading' || problem === 'markdown';
}

/**
 * Returns the names of the values of the merchant that are empty or of the sample shop.
 * @public also used by features
 */
export function sampleValues(merchant: Readonly<Record<string, string>>): readonly string[] {
  const isSample = (name: string, value: string) => SAMPLE_VALUE.test(value) && (name !== 'rfc' || value !== '');
  return Object.entries(merchant).flatMap(([name, value]) => (isSample(name, value.trim()) ? [name] : []));
}

/**
 * Returns the pages that show a sample text, in all locales.
 * @public also used by features
 */
export function samplePages(
  { contentIn }: { readonly contentIn: ContentIn },
  locales: readonly Locale[],
): readonly ContentPage[] {
  return locales.flatMap((locale) =>
    [...contentIn(locale).values()].filter((page) => page.sample !== undefined && page.locale === locale),
  );
}
