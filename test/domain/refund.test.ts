import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { centavos } from '../../src/domain/money.js';
import {
  evaluateRefund,
  type GatewayRefund,
  isFullyRefunded,
  isInFlight,
  mayBecome,
  REFUND_STATES,
  refundable,
  refundedTotal,
} from '../../src/domain/refund.js';

const amounts = fc.integer({ min: 0, max: 1_000_000 }).map(centavos);
const refunds = fc.array(
  fc.record({
    kind: fc.constantFrom('refund' as const, 'chargeback' as const),
    state: fc.constantFrom(...REFUND_STATES),
    amount: amounts,
  }),
);

test('what may be refunded and all refunds that are not refused never exceed the confirmed amount', () => {
  const property = fc.property(amounts, refunds, (confirmed, all) => {
    const used = all
      .filter(({ state }) => state !== 'refused')
      .reduce((total, { amount }) => total + amount, 0);
    const left = refundable(confirmed, all);

    expect(left).toBe(Math.max(0, confirmed - used));
    expect(refundedTotal(all)).toBeLessThanOrEqual(used);
    if (left > 0) expect(isFullyRefunded(confirmed, all)).toBe(false);
  });

  fc.assert(property);
});

test('nothing may be refunded of a payment whose amount was never confirmed', () => {
  expect([refundable(null, []), isFullyRefunded(null, []), isFullyRefunded(centavos(0), [])]).toEqual([
    0,
    false,
    false,
  ]);
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

const ANSWER: GatewayRefund = {
  id: 'r-1',
  status: 'succeeded',
  isRefund: true,
  paymentId: 'p-1',
  amount: centavos(500),
  currency: 'MXN',
  gatewayStatus: 'Success',
};

test.each<[string, Partial<GatewayRefund>, string | undefined]>([
  ['about this refund', {}, 'succeeded'],
  ['that is pending', { status: 'pending' }, 'pending'],
  ['without a currency', { currency: undefined }, 'succeeded'],
  ['with an unknown status', { status: 'unclear' }, undefined],
  ['about another operation', { isRefund: false }, undefined],
  ['about another payment', { paymentId: 'p-2' }, undefined],
  ['without its payment', { paymentId: undefined }, undefined],
  ['with another amount', { amount: centavos(501) }, undefined],
  ['in another currency', { currency: 'USD' }, undefined],
])('an answer %s has the result %#', (_what, change, result) => {
  const expected = { paymentId: 'p-1', amount: centavos(500) };

  expect(evaluateRefund({ ...ANSWER, ...change }, expected)).toBe(result);
});
