import { describe, expect, test } from '@jest/globals';
import { centavos } from '../../src/domain/money.js';
import {
  type ExpectedPayment,
  evaluateAfterExpiry,
  evaluateNotFound,
  evaluatePayment,
  type GatewayPayment,
  type PaymentResult,
  type PaymentStatus,
} from '../../src/domain/payment.js';

const expected: ExpectedPayment = { id: 'cs_1', amount: centavos(15_000), reference: 'TG-7KMX-2AFR' };

const READINGS = ['paid', 'pending', 'declined', 'expired', 'cancelled', 'unclear'] as const;
const IDS = [expected.id, 'cs_2', undefined] as const;
const AMOUNTS = [
  expected.amount,
  centavos(14_999),
  centavos(15_001),
  centavos(1_500_000),
  centavos(0),
  undefined,
] as const;
const CURRENCIES = ['MXN', 'mxn', 'USD', '', undefined] as const;
const REFERENCES = [expected.reference, 'TG-7KMX-2AFX', 'tg-7kmx-2afr', '', undefined] as const;

const cases = READINGS.flatMap((status) =>
  IDS.flatMap((id) =>
    AMOUNTS.flatMap((amount) =>
      CURRENCIES.flatMap((currency) =>
        REFERENCES.map((reference) => ({ status, id, amount, currency, reference })),
      ),
    ),
  ),
);

type Case = (typeof cases)[number];

/** Absent members are absent, not `undefined`. */
function evidence({ status, ...rest }: Case): GatewayPayment {
  const present = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return { status, gatewayStatus: 'words', ...present };
}

function isAsPromised(one: Case): boolean {
  return (
    one.id === expected.id &&
    one.amount === expected.amount &&
    one.currency === 'MXN' &&
    one.reference === expected.reference
  );
}

const judged = cases.map((one) => ({ one, result: evaluatePayment(evidence(one), expected) }));
const withReading = (...readings: PaymentStatus[]) =>
  judged.filter(({ one }) => readings.includes(one.status));

describe('judging what the gateway says about an attempt', () => {
  test('of every status with every difference, exactly one combination is paid', () => {
    const paid = judged.filter(({ result }) => result.kind === 'paid');

    expect(paid.map(({ one }) => one)).toEqual([
      { status: 'paid', id: expected.id, amount: 15_000, currency: 'MXN', reference: expected.reference },
    ]);
  });

  test('a paid status with any difference is held, and the first difference is named', () => {
    for (const { one, result } of withReading('paid').filter(({ one }) => !isAsPromised(one))) {
      const difference =
        (one.id !== expected.id && 'other_id') ||
        (one.amount !== expected.amount && 'other_amount') ||
        (one.currency !== 'MXN' && 'other_currency') ||
        'other_reference';
      expect({ one, result }).toEqual({ one, result: { kind: 'review', reason: difference } });
    }
  });

  test('a word nobody knows is held, whatever stands beside it', () => {
    for (const { result } of withReading('unclear')) {
      expect(result).toEqual({ kind: 'review', reason: 'unclear_status' });
    }
  });

  test('an ending counts for the id it was asked about, and is no news about another', () => {
    for (const { one, result } of withReading('declined', 'expired', 'cancelled', 'pending')) {
      expect(result).toEqual({ kind: one.id === expected.id ? one.status : 'pending' });
    }
  });
});

describe('a last look, when the time of an attempt is up', () => {
  test.each<['hosted' | 'card', PaymentResult]>([
    ['hosted', { kind: 'expired' }],
    ['card', { kind: 'review', reason: 'overdue' }],
  ])('ends the waiting of a %s payment with %j', (kind, end) => {
    expect(evaluateAfterExpiry({ kind: 'pending' }, kind)).toEqual(end);
  });

  test.each<PaymentResult>([
    { kind: 'paid' },
    { kind: 'declined' },
    { kind: 'expired' },
    { kind: 'cancelled' },
    { kind: 'review', reason: 'other_amount' },
  ])('changes nothing about %j', (result) => {
    expect(evaluateAfterExpiry(result, 'hosted')).toEqual(result);
    expect(evaluateAfterExpiry(result, 'card')).toEqual(result);
  });

  test('finds no payment in what is not one, whatever the gateway answered', () => {
    const made = judged.filter(({ result }) =>
      (['hosted', 'card'] as const).some((kind) => evaluateAfterExpiry(result, kind).kind === 'paid'),
    );

    expect(made.map(({ result }) => result)).toEqual([{ kind: 'paid' }]);
  });
});

describe('an attempt that the gateway does not know after its time', () => {
  test.each<['hosted' | 'card', boolean, PaymentResult]>([
    ['hosted', true, { kind: 'expired' }],
    ['hosted', false, { kind: 'review', reason: 'not_found' }],
    ['card', true, { kind: 'review', reason: 'not_found' }],
    ['card', false, { kind: 'review', reason: 'not_found' }],
  ])('of the %s flow, found before: %j, is %j', (flow, wasFound, result) => {
    expect(evaluateNotFound({ flow, wasFound })).toEqual(result);
  });
});
