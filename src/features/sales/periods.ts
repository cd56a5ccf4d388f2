/** The days of today, this week and this month, and of the part of the period before that ends at the same time. Pure. */
import { addDays } from '../../shop/rules/mexico-day.js';

/** Days in Mexico City, as `2026-11-21`. */
export interface Period {
  readonly name: 'today' | 'week' | 'month';
  readonly from: string;
  readonly before: {
    readonly from: string;
    /** Counted until the present time of day. */
    readonly last: string;
  };
}

/** Returns the periods that end today. A week begins on Monday. A shorter month before ends with its last day. */
export function periodsOf(today: string): readonly Period[] {
  const monday = addDays(today, -((new Date(today).getUTCDay() + 6) % 7));
  const first = `${today.slice(0, 8)}01`;
  const lastBefore = addDays(first, -1);
  const firstBefore = `${lastBefore.slice(0, 8)}01`;
  const sameDay = `${lastBefore.slice(0, 8)}${today.slice(8)}`;
  return [
    { name: 'today', from: today, before: { from: addDays(today, -1), last: addDays(today, -1) } },
    { name: 'week', from: monday, before: { from: addDays(monday, -7), last: addDays(today, -7) } },
    {
      name: 'month',
      from: first,
      before: { from: firstBefore, last: sameDay < lastBefore ? sameDay : lastBefore },
    },
  ];
}
