import type { Locale } from '../domain/locale.js';
import { ZONE } from '../domain/mexico-day.js';
import { type Centavos, CURRENCY, toPesosText } from '../domain/money.js';
import { type TaxedLine, taxTotals } from '../domain/tax.js';

/** `Intl.NumberFormat` formats decimal text exactly. TypeScript's types accept numbers only. */
interface DecimalTextFormat {
  format(amount: string): string;
}

const money = byLocale(
  (locale) =>
    new Intl.NumberFormat(locale, { style: 'currency', currency: CURRENCY }) as unknown as DecimalTextFormat,
);
const moment = byLocale(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone: ZONE,
    }),
);

const day = byLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: ZONE }));

/** Creates a format at its first use and caches it: creation takes as long as rendering a page. */
export function byLocale<T>(make: (locale: Locale) => T): (locale: Locale) => T {
  const made = new Map<Locale, T>();
  return (locale) => {
    const format = made.get(locale) ?? make(locale);
    made.set(locale, format);
    return format;
  };
}

/** Formats an amount as `$1,499.00` in the customer's locale, without floating point. */
export function formatMoney(amount: Centavos, locale: Locale): string {
  return money(locale).format(toPesosText(amount));
}

/** Formats the IVA that these lines include. Returns `undefined` if they include none. */
export function formatTax(lines: readonly TaxedLine[], locale: Locale): string | undefined {
  const { tax } = taxTotals(lines);
  return tax === 0 ? undefined : formatMoney(tax, locale);
}

/** Formats a time as day and time in Mexico City. A line does not break within the time `7:05 p.m.` */
export function formatMoment(at: number, locale: Locale): string {
  return moment(locale)
    .format(at)
    .replace(/(?<=:\d\d|[ap]\.)\s/g, '\u00a0');
}

/** Formats the day of a time in Mexico City. */
export function formatDay(at: number, locale: Locale): string {
  return day(locale).format(at);
}
