import { describe, expect, test } from '@jest/globals';
import { DECISIONS, endByDecision, needsPerson, openDecisions } from '../../src/core/decision.js';
import { ATTEMPT_STATES, type AttentionReason, ORDER_STATES } from '../../src/core/order.js';

const REASONS: readonly (AttentionReason | null)[] = [
  null,
  'unclear_status',
  'other_id',
  'other_amount',
  'other_currency',
  'other_reference',
  'overdue',
  'second_payment',
];
const everything = ORDER_STATES.flatMap((state) => REASONS.map((attention) => ({ state, attention })));

describe('what a merchant may decide', () => {
  test('is nothing about an order that waits for nobody', () => {
    const calm = everything.filter((order) => !needsPerson(order));

    expect(calm).toEqual(
      ORDER_STATES.filter((state) => state !== 'outcome_unknown' && state !== 'review').map((state) => ({
        state,
        attention: null,
      })),
    );
    expect(calm.flatMap(openDecisions)).toEqual([]);
  });

  test('always leaves a way out', () => {
    expect(
      everything.filter((order) => needsPerson(order) && !openDecisions(order).includes('refund')),
    ).toEqual([]);
  });

  test.each<[string, AttentionReason | null, readonly string[]]>([
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
  ])('of %s with %s is %s', (state, attention, open) => {
    expect(openDecisions({ state: state as 'paid', attention })).toEqual(open);
  });
});

describe('a decision', () => {
  const ends = (decision: 'refund' | 'close', paysTheOrder: boolean) =>
    Object.fromEntries(
      ATTEMPT_STATES.map((state) => [state, endByDecision(decision, { state, paysTheOrder })]).filter(
        ([, end]) => end !== undefined,
      ),
    );

  test('to refund ends what was doubtful and what was paid twice, never the payment that paid the order', () => {
    expect(ends('refund', false)).toEqual({ unknown: 'refunded', held: 'refunded', paid: 'refunded' });
    expect(ends('refund', true)).toEqual({ unknown: 'refunded', held: 'refunded' });
  });

  test('to close ends what was doubtful, and no payment', () => {
    expect(ends('close', false)).toEqual({ unknown: 'cancelled', held: 'cancelled' });
    expect(ends('close', true)).toEqual({ unknown: 'cancelled', held: 'cancelled' });
  });
});
