import { expect, test } from '@jest/globals';
import { ATTEMPT_STATES, ORDER_STATES, REFUND_STATES } from '@tianguis/payments/rules';
import { isFulfillable } from '../../src/shop/rules/fulfillment.js';

test('an order is fulfillable only if it is paid without a review reason, and its payment is not refunded', () => {
  const all = ORDER_STATES.flatMap((state) =>
    ([null, 'second_payment'] as const).flatMap((reviewReason) =>
      [...ATTEMPT_STATES, undefined].map((attempt) => ({ state, reviewReason, attempt })),
    ),
  );

  const fulfillable = all.filter(({ attempt, ...order }) =>
    isFulfillable(order, attempt && { id: 'a', state: attempt }, []),
  );

  expect(fulfillable).toEqual([{ state: 'paid', reviewReason: null, attempt: 'paid' }]);
});

test('a refund without a known outcome and a chargeback of its payment block an order, and no other refund does', () => {
  const all = REFUND_STATES.flatMap((state) =>
    (['refund', 'chargeback'] as const).flatMap((kind) => ['a', 'b'].map((attemptId) => ({ attemptId, kind, state }))),
  );

  const blocking = all.filter(
    (refund) => !isFulfillable({ state: 'paid', reviewReason: null }, { id: 'a', state: 'paid' }, [refund]),
  );

  expect(new Set(blocking.map(({ attemptId }) => attemptId))).toEqual(new Set(['a']));
  const refunds = blocking.filter(({ kind }) => kind === 'refund');
  expect(refunds.map(({ state }) => state)).toEqual(['sending', 'pending', 'unknown']);
  expect(blocking).toHaveLength(refunds.length + REFUND_STATES.length);
});
