/** Calendar days in the time zone of Mexico City, written `2026-11-21`. */

/** The merchant's time zone. */
const ZONE = 'America/Mexico_City';
const HOUR_MS = 3_600_000;
/** A field for a day accepts a year of two digits as `0026`. */
const DAY = /^2\d{3}-\d{2}-\d{2}$/;

let wallClock: Intl.DateTimeFormat | undefined;

/** Returns the local time as `2026-11-21 09:30:00`, the Swedish form. */
function localTime(at: number): string {
  // Created lazily: the first formatter with a time zone loads the time zone data.
  wallClock ??= new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'medium' });
  return wallClock.format(at);
}

export function dayOf(at: number): string {
  return localTime(at).slice(0, 10);
}

/** Returns whether a text is a day from the year 2000 to 2999. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const noon = new Date(`${text}T12:00:00Z`);
  return !Number.isNaN(noon.getTime()) && noon.toISOString().startsWith(text);
}

/** Returns whether a text is a day from that of `first` to that of `last`, in milliseconds since 1970. */
export function isDayBetween(day: string, first: number, last: number): boolean {
  return isDay(day) && day >= dayOf(first) && day <= dayOf(last);
}

/** Returns the start of a local day, in milliseconds since 1970. */
export function startOfDay(day: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // The UTC offset is read at 06:00 UTC, which is near local midnight. No clock change happened between midnight and 01:00.
  const shown = Date.parse(`${localTime(midnight + 6 * HOUR_MS).replace(' ', 'T')}Z`);
  return midnight - (shown - (midnight + 6 * HOUR_MS));
}

/** Returns the day that is `days` days later; earlier if negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + days * 24 * HOUR_MS).toISOString().slice(0, 10);
}
