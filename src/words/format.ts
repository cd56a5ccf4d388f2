import type { Locale } from '../core/catalogue.js';
import { ZONE } from '../core/mexico-day.js';
import { type Centavos, CURRENCY, toPesosText } from '../core/money.js';

/** `Intl` as it takes decimal text, exactly; the library's types know numbers only. */
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

/** Each is made when it is first asked for, which takes as long as a page, and kept. */
function byLocale<T>(make: (locale: Locale) => T): (locale: Locale) => T {
  const made = new Map<Locale, T>();
  return (locale) => {
    const format = made.get(locale) ?? make(locale);
    made.set(locale, format);
    return format;
  };
}

/** `$1,499.00` in the shopper's language, from the exact digits. */
export function formatMoney(amount: Centavos, locale: Locale): string {
  return money(locale).format(toPesosText(amount));
}

/** Day and time in Mexico City. */
export function formatMoment(at: number, locale: Locale): string {
  return moment(locale).format(at);
}
