/** Short formats of times and durations for the lists of the back office. */
import { LOCALES, type Locale } from '../domain/locale.js';
import { ZONE } from '../domain/mexico-day.js';

const PARTS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;
type Unit = (typeof PARTS)[number][0];

const formats = Object.fromEntries(
  LOCALES.flatMap((locale) => PARTS.map(([unit]) => [`${locale} ${unit}`, formatOf(locale, unit)])),
) as Readonly<Record<`${Locale} ${Unit}`, Intl.NumberFormat>>;

function formatOf(locale: Locale, unit: Unit): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'day' ? 'long' : 'short',
  });
}

/** Formats a duration with its first two nonzero units, such as `3 min 20 s`. Negative values count as 0 s. */
export function formatDuration(seconds: number, locale: Locale): string {
  let left = Math.max(0, Math.floor(seconds));
  const parts: string[] = [];
  for (const [unit, size] of PARTS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0 || (unit === 'second' && parts.length === 0))
      parts.push(formats[`${locale} ${unit}`].format(count));
  }
  return parts.slice(0, 2).join(' ');
}

const moments = Object.fromEntries(
  LOCALES.map((locale) => [
    locale,
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: ZONE }),
  ]),
) as Readonly<Record<Locale, Intl.DateTimeFormat>>;

/** Formats a time in Mexico City, such as `21 nov 2026, 7:36 a.m.` */
export function formatShortMoment(at: number, locale: Locale): string {
  return moments[locale].format(at);
}
