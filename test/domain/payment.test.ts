import { expect, test } from 'vitest';
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

const STATUSES = ['paid', 'pending', 'declined', 'expired', 'cancelled', 'unclear'] as const;
const IDS = [expected.id, 'cs_2', undefined] as const;
const AMOUNTS = [expected.amount, ...[14_999, 15_001, 1_500_000, 0].map((amount) => centavos(amount)), undefined];
const CURRENCIES = ['MXN', 'mxn', 'USD', '', undefined] as const;
const REFERENCES = [expected.reference, 'TG-7KMX-2AFX', 'tg-7kmx-2afr', '', undefined] as const;

/** The full product of all members. */
const PAYMENTS = STATUSES.flatMap((status) =>
  IDS.flatMap((id) =>
    AMOUNTS.flatMap((amount) =>
      CURRENCIES.flatMap((currency) => REFERENCES.map((reference) => ({ status, id, amount, currency, reference }))),
    ),
  ),
);

type Payment = (typeof PAYMENTS)[number];

/** Returns the payment without its undefined members. */
function withoutAbsent({ status, ...rest }: Payment): GatewayPayment {
  const present = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return { status, gatewayStatus: 'words', ...present };
}

const evaluated = PAYMENTS.map((payment) => ({
  payment,
  result: evaluatePayment(withoutAbsent(payment), expected),
}));
const withStatus = (...statuses: PaymentStatus[]) =>
  evaluated.filter(({ payment }) => statuses.includes(payment.status));

test('of all statuses, ids, amounts, currencies and references, exactly one combination is paid', () => {
  const paid = evaluated.filter(({ result }) => result.kind === 'paid');

  expect(paid.map(({ payment }) => payment)).toEqual([{ status: 'paid', currency: 'MXN', ...expected }]);
});

test('a paid status with any difference goes to review with the first difference as reason', () => {
  const results = withStatus('paid').filter(({ result }) => result.kind !== 'paid');

  expect(results).toHaveLength(withStatus('paid').length - 1);
  for (const { payment, result } of results) {
    const reason =
      (payment.id !== expected.id && 'other_id') ||
      (payment.amount !== expected.amount && 'other_amount') ||
      (payment.currency !== 'MXN' && 'other_currency') ||
      'other_reference';
    expect({ payment, result }).toEqual({ payment, result: { kind: 'review', reason } });
  }
});

test('an unclear status goes to review with any other member', () => {
  for (const { result } of withStatus('unclear')) expect(result).toEqual({ kind: 'review', reason: 'unclear_status' });
});

test('an unpaid status counts for the expected id, and is pending for any other', () => {
  for (const { payment, result } of withStatus('declined', 'expired', 'cancelled', 'pending'))
    expect(result).toEqual({ kind: payment.id === expected.id ? payment.status : 'pending' });
});

test.each<['hosted' | 'card', PaymentResult]>([
  ['hosted', { kind: 'expired' }],
  ['card', { kind: 'review', reason: 'overdue' }],
])('a %s payment that is pending after its time is %j', (flow, result) => {
  expect(evaluateAfterExpiry({ kind: 'pending' }, flow)).toEqual(result);
});

test('after its time, a result other than pending is unchanged, and only a paid one is paid', () => {
  for (const { result } of evaluated)
    for (const flow of ['hosted', 'card'] as const) {
      const after = evaluateAfterExpiry(result, flow);
      if (result.kind === 'pending') expect(after.kind).not.toBe('paid');
      else expect(after).toEqual(result);
    }
});

test.each<['hosted' | 'card', boolean, PaymentResult]>([
  ['hosted', true, { kind: 'expired' }],
  ['hosted', false, { kind: 'review', reason: 'not_found' }],
  ['card', true, { kind: 'review', reason: 'not_found' }],
  ['card', false, { kind: 'review', reason: 'not_found' }],
])('a %s attempt that is not found after its time (found before: %j) is %j', (flow, wasFound, result) => {
  expect(evaluateNotFound(flow, wasFound)).toEqual(result);
});
