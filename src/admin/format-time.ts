/** Short formats of times and durations for the lists of the back office. */
import type { Locale } from '../domain/locale.js';
import { ZONE } from '../domain/mexico-day.js';
import { byLocale } from '../locales/format.js';

const unitFormats = byLocale((locale) => {
  const format = (unit: string, unitDisplay: 'long' | 'short') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay });
  return [
    { seconds: 86_400, format: format('day', 'long') },
    { seconds: 3_600, format: format('hour', 'short') },
    { seconds: 60, format: format('minute', 'short') },
    { seconds: 1, format: format('second', 'short') },
  ];
});

const momentFormat = byLocale(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: ZONE }),
);

/** Formats a duration with its first two nonzero units, such as `3 min 20 s`. Negative values count as 0 s. */
export function formatDuration(seconds: number, locale: Locale): string {
  let left = Math.max(0, Math.floor(seconds));
  const parts: string[] = [];
  for (const unit of unitFormats(locale)) {
    const count = Math.floor(left / unit.seconds);
    left -= count * unit.seconds;
    if (count > 0 || (unit.seconds === 1 && parts.length === 0)) parts.push(unit.format.format(count));
  }
  return parts.slice(0, 2).join(' ');
}

/** Formats a time in Mexico City, such as `21 nov 2026, 7:36 a.m.` */
export function formatShortMoment(at: number, locale: Locale): string {
  return momentFormat(locale).format(at);
}
