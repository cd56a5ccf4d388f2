import { expect, test } from '@jest/globals';
import { needsReview, ORDER_STATES, type OrderState, openDecisions, type ReviewReason } from '@tianguis/payments/rules';

const REASONS: readonly (ReviewReason | null)[] = [
  ...([null, 'unclear_status', 'other_id', 'other_amount', 'other_currency', 'other_reference'] as const),
  ...(['overdue', 'not_found', 'no_answer', 'other_environment', 'second_payment', 'oversold'] as const),
  ...(['host_failed', 'outcome_unknown'] as const),
];
const ALL = ORDER_STATES.flatMap((state) => REASONS.map((reviewReason) => ({ state, reviewReason })));

test('an order without a review reason that is neither unknown nor in review allows no decision', () => {
  const verified = ALL.filter((order) => !needsReview(order));

  const states = ORDER_STATES.filter((state) => state !== 'outcome_unknown' && state !== 'review');
  expect(verified).toEqual(states.map((state) => ({ state, reviewReason: null })));
  expect(verified.flatMap((order) => openDecisions(order, false))).toEqual([]);
});

test.each<[OrderState, ReviewReason | null, readonly string[]]>([
  ['outcome_unknown', null, ['confirm', 'refund', 'close']],
  ['review', null, ['confirm', 'refund', 'close']],
  ['review', 'unclear_status', ['confirm', 'refund', 'close']],
  ['review', 'overdue', ['confirm', 'refund', 'close']],
  ['review', 'other_id', ['confirm', 'refund']],
  ['review', 'other_amount', ['confirm', 'refund']],
  ['review', 'other_currency', ['confirm', 'refund']],
  ['review', 'other_reference', ['confirm', 'refund']],
  ['review', 'second_payment', ['refund']],
  ['paid', 'second_payment', ['refund']],
  ['paid', 'oversold', ['stock_arrived', 'refund']],
  ['paid', 'host_failed', ['apply_again', 'refund']],
  ['declined', 'host_failed', ['apply_again', 'close']],
  ['paid', 'unclear_status', ['refund', 'close']],
  ['paid', 'outcome_unknown', ['refund', 'close']],
  ['paid', 'other_amount', ['refund']],
  ['pending', 'other_environment', ['confirm', 'refund']],
  ['paid', 'other_environment', ['refund', 'close']],
])('an order in %s with the review reason %s allows the decisions %j', (state, reviewReason, decisions) => {
  expect(openDecisions({ state, reviewReason }, false)).toEqual(decisions);
});
