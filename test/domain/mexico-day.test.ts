import { expect, test } from '@jest/globals';
import { addDays, dayOf, isDay, startOfDay } from '../../src/shop/rules/mexico-day.js';

test.each([
  ['2026-11-21', '2026-11-21T06:00:00.000Z'],
  ['2026-07-01', '2026-07-01T06:00:00.000Z'],
  ['2022-07-01', '2022-07-01T05:00:00.000Z'],
  ['2022-04-03', '2022-04-03T06:00:00.000Z'],
  ['2022-10-30', '2022-10-30T05:00:00.000Z'],
  ['2024-02-29', '2024-02-29T06:00:00.000Z'],
])('the day %s begins in Mexico City at %s', (day, instant) => {
  const start = startOfDay(day);

  expect(new Date(start).toISOString()).toBe(instant);
  expect([dayOf(start), dayOf(start - 1), isDay(day)]).toEqual([day, addDays(day, -1), true]);
});

test.each([
  ...['', '2026-02-30', '2026-13-01', '26-01-01', '2026-1-1', 'hoy', '2026-01-01T00', '0000-00-00'],
  ...['0026-11-27', '9999-12-31'],
])('the text %j is no day', (text) => {
  expect(isDay(text)).toBe(false);
});

test.each([
  ['2026-12-31', 1, '2027-01-01'],
  ['2024-03-01', -1, '2024-02-29'],
  ['2026-11-21', -29, '2026-10-23'],
])('the day %s plus %i days is %s', (day, count, result) => {
  expect(addDays(day, count)).toBe(result);
});
