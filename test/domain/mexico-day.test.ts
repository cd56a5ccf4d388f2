import { describe, expect, test } from '@jest/globals';
import { addDays, dayOf, isDay, startOfDay } from '../../src/domain/mexico-day.js';

const at = (iso: string) => Date.parse(iso);

describe('a day in Mexico City', () => {
  test.each([
    ['2026-11-21', '2026-11-21T06:00:00Z'],
    ['2026-07-01', '2026-07-01T06:00:00Z'],
    ['2022-07-01', '2022-07-01T05:00:00Z'],
    ['2022-04-03', '2022-04-03T06:00:00Z'],
    ['2022-10-30', '2022-10-30T05:00:00Z'],
    ['2024-02-29', '2024-02-29T06:00:00Z'],
  ])('%s begins at %s', (day, moment) => {
    const start = startOfDay(day);

    expect(new Date(start).toISOString()).toBe(new Date(at(moment)).toISOString());
    expect([dayOf(start), dayOf(start - 1)]).toEqual([day, addDays(day, -1)]);
  });

  test.each(['', '2026-02-30', '2026-13-01', '26-01-01', '2026-1-1', 'hoy', '2026-01-01T00', '0000-00-00'])(
    '%j is none',
    (text) => {
      expect(isDay(text)).toBe(false);
    },
  );

  test('is followed by the next over the ends of months and years', () => {
    expect(isDay('2024-02-29')).toBe(true);
    expect([addDays('2026-12-31', 1), addDays('2024-03-01', -1), addDays('2026-11-21', -29)]).toEqual([
      '2027-01-01',
      '2024-02-29',
      '2026-10-23',
    ]);
  });
});
