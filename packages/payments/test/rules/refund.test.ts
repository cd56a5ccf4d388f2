import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import fc from 'fast-check';
import {
  isFullyRefunded,
  isInFlight,
  mayBecome,
  REFUND_STATES,
  refundable,
  refundedTotal,
} from '../../src/rules/refund.js';

const amounts = fc.integer({ min: 0, max: 1_000_000 }).map(centavos);
const refunds = fc.array(
  fc.record({
    attemptId: fc.constant('a-1'),
    kind: fc.constantFrom('refund' as const, 'chargeback' as const),
    state: fc.constantFrom(...REFUND_STATES),
    amount: amounts,
  }),
);

test('what may be refunded and all refunds that are not refused never exceed the confirmed amount', () => {
  const property = fc.property(amounts, refunds, (confirmed, all) => {
    const used = all.filter(({ state }) => state !== 'refused').reduce((total, { amount }) => total + amount, 0);
    const left = refundable(confirmed, all);

    expect(left).toBe(Math.max(0, confirmed - used));
    expect(refundedTotal(all)).toBeLessThanOrEqual(used);
    if (left > 0) expect(isFullyRefunded({ id: 'a-1', confirmedAmount: confirmed }, all)).toBe(false);
  });

  fc.assert(property);
});

test('an attempt is fully refunded by its own refunds only, and never without a confirmed amount', () => {
  const amount = centavos(500);
  const refund = { attemptId: 'a-1', kind: 'refund', state: 'succeeded', amount } as const;
  const isFull = (id: string, confirmedAmount: typeof amount | null) =>
    isFullyRefunded({ id, confirmedAmount }, [refund]);

  expect([isFull('a-1', amount), isFull('a-2', amount), isFull('a-1', null)]).toEqual([true, false, false]);
  expect(isFullyRefunded({ id: 'a-1', confirmedAmount: centavos(0) }, [])).toBe(false);
  expect(refundable(null, [])).toBe(0);
});

test('a final refund changes to no state, and no refund changes back to sending', () => {
  const changes = REFUND_STATES.flatMap((from) =>
    REFUND_STATES.filter((to) => mayBecome(from, to)).map((to) => `${from} ${to}`),
  );

  expect(REFUND_STATES.filter(isInFlight)).toEqual(['sending', 'pending', 'unknown']);
  expect(changes).toEqual([
    ...['sending succeeded', 'sending pending', 'sending refused', 'sending unknown'],
    ...['pending succeeded', 'pending refused'],
    ...['unknown succeeded', 'unknown pending', 'unknown refused'],
  ]);
});
