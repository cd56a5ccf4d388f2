import { holdsCardNumber, plainText } from '@tianguis/payments/rules';
import { z } from 'zod';
import { fieldErrorList } from '../../admin/order-record.js';
import type { Locale, Texts } from '../../shop/rules/locale.js';
import { addDays, dayOf, isDay } from '../../shop/rules/mexico-day.js';
import { CLOSING } from '../../shop/rules/shop-settings.js';
import { type Fields, readText } from '../../web/form-body.js';
import type { RequestContext } from '../../web/request-context.js';

/** In characters. */
const TEXT_LIMIT = 300;
const MAX_DAYS = 366;

/** What the last POST did not accept. */
export interface ClosingForm {
  readonly typed: Readonly<Record<string, string>>;
  readonly status: 409 | 422;
  /** The version of the settings that the user saw. */
  readonly version: string;
}

export const textField = (locale: Locale) => `text.${locale}`;

const TEXT = z
  .string()
  .max(TEXT_LIMIT)
  .refine((text) => !holdsCardNumber(text));
const STORED = z.strictObject({ until: z.string().refine(isDay), texts: z.record(z.string(), TEXT) });

/** Whether a value of a file is a closing. */
export function isClosing(value: unknown): boolean {
  return STORED.safeParse(value).success;
}

/** Returns the closing as it is stored, or what is wrong by field. */
export function readClosingForm({ t, config, checkout }: RequestContext, fields: Fields) {
  const today = dayOf(checkout.clock.now());
  const names = ['until', ...config.locales.map(textField)];
  const typed = Object.fromEntries(names.map((name) => [name, plainText(readText(fields[name])).trim()]));
  const { until = '' } = typed;
  const isFit = isDay(until) && until > today && until <= addDays(today, MAX_DAYS);
  const texts = config.locales.map((locale) => [locale, typed[textField(locale)] ?? ''] as const);
  const errors = fieldErrorList({
    until: !isFit && t('closing.problems.until'),
    ...Object.fromEntries(texts.map(([locale, text]) => [textField(locale), textProblem(t, text)])),
  });
  const written: Texts = Object.fromEntries(texts.filter(([, text]) => text !== ''));
  return { typed, errors, values: { [CLOSING]: { until, texts: written } } };
}

function textProblem(t: RequestContext['t'], text: string): string | false {
  if (holdsCardNumber(text)) return t('form.cardData');
  return text.length > TEXT_LIMIT && t('closing.problems.text', { limit: TEXT_LIMIT });
}
