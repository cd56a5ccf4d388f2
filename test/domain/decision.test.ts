import { describe, expect, test } from '@jest/globals';
import { DECISIONS, needsReview, openDecisions } from '../../src/domain/decision.js';
import { ORDER_STATES, type ReviewReason } from '../../src/domain/order.js';

const REASONS: readonly (ReviewReason | null)[] = [
  null,
  'unclear_status',
  'other_id',
  'other_amount',
  'other_currency',
  'other_reference',
  'overdue',
  'not_found',
  'no_answer',
  'other_environment',
  'second_payment',
];
const everything = ORDER_STATES.flatMap((state) => REASONS.map((reviewReason) => ({ state, reviewReason })));

describe('what a merchant may decide', () => {
  test('is nothing about an order that waits for nobody', () => {
    const calm = everything.filter((order) => !needsReview(order));

    expect(calm).toEqual(
      ORDER_STATES.filter((state) => state !== 'outcome_unknown' && state !== 'review').map((state) => ({
        state,
        reviewReason: null,
      })),
    );
    expect(calm.flatMap(openDecisions)).toEqual([]);
  });

  test('always leaves a way out', () => {
    expect(
      everything.filter((order) => needsReview(order) && !openDecisions(order).includes('refund')),
    ).toEqual([]);
  });

  test.each<[string, ReviewReason | null, readonly string[]]>([
    ['outcome_unknown', null, DECISIONS],
    ['review', null, DECISIONS],
    ['review', 'unclear_status', DECISIONS],
    ['review', 'overdue', DECISIONS],
    ['review', 'other_id', ['confirm', 'refund']],
    ['review', 'other_amount', ['confirm', 'refund']],
    ['review', 'other_currency', ['confirm', 'refund']],
    ['review', 'other_reference', ['confirm', 'refund']],
    ['review', 'second_payment', ['refund']],
    ['paid', 'second_payment', ['refund']],
    ['paid', 'unclear_status', ['refund', 'close']],
    ['paid', 'other_amount', ['refund']],
  ])('of %s with %s is %s', (state, reviewReason, open) => {
    expect(openDecisions({ state: state as 'paid', reviewReason })).toEqual(open);
  });
});
