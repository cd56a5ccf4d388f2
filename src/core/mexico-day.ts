/** Days as the merchant's calendar has them: those of Mexico City, written `2026-11-21`. */

/** Where those days are lived. */
export const ZONE = 'America/Mexico_City';
const HOUR_MS = 3_600_000;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

let wallClock: Intl.DateTimeFormat | undefined;

/** What the clocks there show: `2026-11-21, 09:30:00`. */
function shownAt(at: number): string {
  // The zones of the whole world are read for the first one: not before anybody asks for a day.
  wallClock ??= new Intl.DateTimeFormat('en-CA', {
    timeZone: ZONE,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  return wallClock.format(at);
}

/** The day of a moment. */
export function dayOf(at: number): string {
  return shownAt(at).slice(0, 10);
}

/** Whether this is a day of the calendar. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const noon = new Date(`${text}T12:00:00Z`);
  return !Number.isNaN(noon.getTime()) && noon.toISOString().startsWith(text);
}

/** The moment at which a day begins. */
export function startOfDay(day: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // Clocks were never changed between midnight and one: an hour that is surely of the day tells how far they are off.
  const shown = Date.parse(`${shownAt(midnight + 6 * HOUR_MS).replace(', ', 'T')}Z`);
  return midnight - (shown - (midnight + 6 * HOUR_MS));
}

/** The day so many days later, or earlier. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + days * 24 * HOUR_MS).toISOString().slice(0, 10);
}
