import { passesLuhn } from '@tianguis/payments/rules';
import { parseContent } from '../../content/content-pages.js';
import { contentValues } from '../../content/content-values.js';
import { isPictureFile } from '../../content/file-problems.js';
import { i18nIn } from '../../locales/i18n.js';
import type { Locale } from '../../shop/rules/locale.js';
import type { FormFields } from '../../web/form.js';
import type { RequestContext } from '../../web/request-context.js';

export const TEXT_FIELD = 'page_text';
/** In characters. */
export const TEXT_LIMIT = 20_000;

/** Of a picture in an error, in characters. */
const LONGEST_NAME = 100;

/** `name`: the placeholder or the picture. */
interface TextProblem {
  readonly kind: 'card' | 'heading' | 'long' | 'markdown' | 'picture' | 'placeholder';
  readonly name?: string;
}

/** 14 to 16 digits together, or in the groups of a card. Legal texts have accounts, telephones and tables of digits. */
const CARD = /(?<!\d)(?:\d{4}([ -]?)\d{4}\1\d{4}\1\d{2,4}|\d{4}([ -])\d{6}\2\d{4,5})(?!\d)/g;

export function maskCards(text: string): string {
  return text.replace(CARD, (run) => (passesLuhn(run.replace(/\D/g, '')) ? '****' : run));
}

export function holdsCard(text: string): boolean {
  return maskCards(text) !== text;
}

/** The text of a page, which has a rule of its own for card numbers. */
export function pageFields(context: RequestContext, locale: Locale) {
  const linesOf = (typed: string) => typed.replace(/\r\n?/g, '\n');
  return {
    [TEXT_FIELD]: {
      kind: 'multiline',
      rows: 18,
      label: 'shopPages.text',
      hint: 'shopPages.textHint',
      lang: locale,
      // The rule below names the problem.
      holdsCard: () => false,
      parse(typed) {
        const text = linesOf(typed);
        return findProblem(context, locale, text) ? undefined : text;
      },
      problem(t, typed) {
        const { kind, name = '' } = findProblem(context, locale, linesOf(typed)) ?? { kind: 'markdown' };
        return t(`shopPages.problems.${kind}`, { name, limit: String(TEXT_LIMIT) });
      },
    },
  } as const satisfies FormFields;
}

function findProblem(context: RequestContext, locale: Locale, text: string): TextProblem | undefined {
  if (holdsCard(text)) return { kind: 'card' };
  if (text.length > TEXT_LIMIT) return { kind: 'long' };
  const parsed = parsePage(context, locale, text);
  if (parsed.problem === 'placeholder') return { kind: 'placeholder', name: parsed.name };
  if (parsed.problem) return { kind: parsed.problem };
  const missing = parsed.pictures.find((path) => !isPictureFile(context.publicDirectory, path));
  if (missing !== undefined) return { kind: 'picture', name: missing.slice(0, LONGEST_NAME) };
  // Each page has one main heading, and screen readers begin with it.
  return parsed.html().includes('<h1>') ? undefined : { kind: 'heading' };
}

export function parsePage(context: RequestContext, locale: Locale, text: string) {
  return parseContent(text, placeholdersOf(context, locale), context.assetUrl);
}

/** Returns the present values of the placeholders by name. */
export function placeholdersOf(context: RequestContext, locale: Locale): Readonly<Record<string, string>> {
  return contentValues(context, i18nIn(context.translations, locale));
}
