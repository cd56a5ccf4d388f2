import { expect, test } from '@jest/globals';
import { periodsOf } from '../periods.js';

test.each([
  // A Thursday.
  ['2026-11-26', '2026-11-25', ['2026-11-23', '2026-11-16', '2026-11-19'], ['2026-11-01', '2026-10-01', '2026-10-26']],
  // A Sunday, the last day of its week, and a month whose predecessor is shorter.
  ['2026-05-31', '2026-05-30', ['2026-05-25', '2026-05-18', '2026-05-24'], ['2026-05-01', '2026-04-01', '2026-04-30']],
  // A Monday, and the first day of a year.
  ['2029-01-01', '2028-12-31', ['2029-01-01', '2028-12-25', '2028-12-25'], ['2029-01-01', '2028-12-01', '2028-12-01']],
])('on %s the periods begin and end on their days', (today, yesterday, week, month) => {
  const [current, ...others] = periodsOf(today);

  expect([current?.from, current?.before]).toEqual([today, { from: yesterday, last: yesterday }]);
  expect(others.map(({ from, before }) => [from, before.from, before.last])).toEqual([week, month]);
});
