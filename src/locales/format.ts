import { type Centavos, CURRENCY, toPesosText } from '@tianguis/payments/rules';
import type { Locale } from '../shop/rules/locale.js';
import { ZONE } from '../shop/rules/mexico-day.js';
import { type TaxedLine, taxTotals } from '../shop/rules/tax.js';

/** `Intl.NumberFormat` formats decimal text exactly. TypeScript's types accept numbers only. */
interface DecimalTextFormat {
  format(amount: string): string;
}

/** The formats of a locale. Times are those of Mexico City. */
export interface Formats {
  /** `$1,499.00`, without floating point. */
  money(amount: Centavos): string;
  /** The IVA that these lines include. `undefined` if they include none. */
  tax(lines: readonly TaxedLine[]): string | undefined;
  /** Day and time. A line does not break within the time `7:05 p.m.` */
  moment(at: number): string;
  /** `21 nov 2026, 7:36 a.m.` */
  shortMoment(at: number): string;
  day(at: number): string;
  /** The first two nonzero units of a time span, such as `3 min 20 s`. Negative values count as 0 s. */
  duration(seconds: number): string;
  /** The name of the language in that language, such as `Español`. */
  readonly language: string;
}

const created = new Map<Locale, Formats>();

/** Returns the formats of a locale. They are created once, because that takes as long as rendering a page. */
export function formatsOf(locale: Locale): Formats {
  const formats = created.get(locale) ?? createFormats(locale);
  created.set(locale, formats);
  return formats;
}

function createFormats(locale: Locale): Formats {
  const money = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: CURRENCY,
  }) as unknown as DecimalTextFormat;
  const time = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { ...options, timeZone: ZONE });
  const moment = time({ dateStyle: 'long', timeStyle: 'short' });
  const shortMoment = time({ dateStyle: 'medium', timeStyle: 'short' });
  const day = time({ dateStyle: 'long' });
  return {
    money: (amount) => money.format(toPesosText(amount)),
    tax(lines) {
      const { tax } = taxTotals(lines);
      return tax === 0 ? undefined : money.format(toPesosText(tax));
    },
    moment: (at) => moment.format(at).replace(/(?<=:\d\d|[ap]\.)\s/g, '\u00a0'),
    shortMoment: (at) => shortMoment.format(at),
    day: (at) => day.format(at),
    duration: durationFormat(locale),
    language: languageName(locale),
  };
}

function languageName(locale: Locale): string {
  const { language } = new Intl.Locale(locale);
  const name = new Intl.DisplayNames(locale, { type: 'language' }).of(language) ?? locale;
  return name.slice(0, 1).toLocaleUpperCase(locale) + name.slice(1);
}

function durationFormat(locale: Locale): Formats['duration'] {
  const unitOf = (seconds: number, unit: string, unitDisplay: 'long' | 'short') => ({
    seconds,
    format: new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay }),
  });
  const units = [
    unitOf(86_400, 'day', 'long'),
    unitOf(3_600, 'hour', 'short'),
    unitOf(60, 'minute', 'short'),
    unitOf(1, 'second', 'short'),
  ];
  return (seconds) => {
    let left = Math.max(0, Math.floor(seconds));
    const parts: string[] = [];
    for (const unit of units) {
      const count = Math.floor(left / unit.seconds);
      left -= count * unit.seconds;
      if (count > 0 || (unit.seconds === 1 && parts.length === 0)) parts.push(unit.format.format(count));
    }
    return parts.slice(0, 2).join(' ');
  };
}
