import { holdsCardNumber } from '@tianguis/payments/rules';
import { z } from 'zod';
import type { Locale } from '../../shop/rules/locale.js';
import { addDays, dayOf, isDay } from '../../shop/rules/mexico-day.js';
import { CLOSING } from '../../shop/rules/shop-settings.js';
import { day, text } from '../../web/fields.js';
import type { FormFields, Typed } from '../../web/form.js';
import type { RequestContext } from '../../web/request-context.js';
import { languageName } from '../shop-settings/setting-values.js';

/** In characters. */
const TEXT_LIMIT = 300;
const MAX_DAYS = 366;

const textField = (locale: Locale) => `text.${locale}`;

const TEXT = z
  .string()
  .max(TEXT_LIMIT)
  .refine((typed) => !holdsCardNumber(typed));
const STORED = z.strictObject({ until: z.string().refine(isDay), texts: z.record(z.string(), TEXT) });

/** Whether a value of a file is a closing. */
export function isClosing(value: unknown): boolean {
  return STORED.safeParse(value).success;
}

/** The day of the opening, and a text in each locale. */
export function closingFields(context: RequestContext) {
  const { t, config, checkout } = context;
  const today = dayOf(checkout.clock.now());
  const texts = config.locales.map((locale) => {
    const language = languageName(context, locale);
    const field = text({
      kind: 'multiline',
      label: () => (language ? `${t('closing.text')} (${language})` : t('closing.text')),
      hint: 'closing.textHint',
      lang: locale,
      limit: TEXT_LIMIT,
      isOptional: true,
      problem: () => t('closing.problems.text', { limit: TEXT_LIMIT }),
    });
    return [textField(locale), field] as const;
  });
  const until = day({
    label: 'closing.until',
    hint: 'closing.untilHint',
    min: addDays(today, 1),
    max: addDays(today, MAX_DAYS),
    problem: 'closing.problems.until',
  });
  return { until, ...Object.fromEntries(texts) } satisfies FormFields;
}

/** Returns the closing as it is stored. */
export function closingOf({ config }: RequestContext, values: Typed) {
  const texts = config.locales.map((locale) => [locale, values[textField(locale)]] as const);
  return { [CLOSING]: { until: values['until'], texts: Object.fromEntries(texts.filter(([, written]) => written)) } };
}

/** Returns the stored closing as the form shows it. */
export function storedClosing({ closing, config }: RequestContext): Typed {
  const texts = config.locales.map((locale) => [textField(locale), closing?.texts[locale] ?? '']);
  return { until: closing ? dayOf(closing.until) : '', ...Object.fromEntries(texts) };
}
