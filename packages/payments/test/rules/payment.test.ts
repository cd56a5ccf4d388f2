import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { ID_SOURCES, type PaymentReviewReason } from '../../src/rules/order.js';
import {
  agrees,
  type ExpectedPayment,
  evaluateFailedLookup,
  evaluatePayment,
  type FailedLookup,
  type GatewayPayment,
  type PaymentResult,
  type PaymentStatus,
  type Phase,
  phaseOf,
} from '../../src/rules/payment.js';

const expected = { gatewayId: 'cs_1', amount: centavos(15_000), reference: 'TG-7KMX-2AFR', awaitsBank: false };

const STATUSES = ['paid', 'pending', 'processing', 'declined', 'expired', 'cancelled', 'unclear'] as const;
const PHASES = ['offered', 'watched', 'over'] as const;
const IDS = [expected.gatewayId, 'cs_2'] as const;
const AMOUNTS = [expected.amount, ...[14_999, 15_001, 1_500_000, 0].map((amount) => centavos(amount)), undefined];
const CURRENCIES = ['MXN', 'mxn', 'USD', '', undefined] as const;
const REFERENCES = [expected.reference, 'TG-7KMX-2AFX', 'tg-7kmx-2afr', '', null, undefined] as const;

/** The full product of all members. */
const PAYMENTS = STATUSES.flatMap((status) =>
  IDS.flatMap((gatewayId) =>
    AMOUNTS.flatMap((amount) =>
      CURRENCIES.flatMap((currency) =>
        REFERENCES.map((reference) => ({ status, gatewayId, amount, currency, reference })),
      ),
    ),
  ),
);

type Payment = (typeof PAYMENTS)[number];

/** Returns the payment without its undefined members. */
function withoutAbsent({ status, gatewayId, ...rest }: Payment): GatewayPayment {
  const present = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return { status, gatewayId, gatewayStatus: 'words', ...present };
}

const ATTEMPTS: readonly ExpectedPayment[] = ID_SOURCES.map((idSource) => ({ ...expected, idSource }));
const evaluated = ATTEMPTS.flatMap((attempt) =>
  PAYMENTS.map((payment) => ({
    attempt,
    payment,
    result: evaluatePayment(withoutAbsent(payment), attempt, 'offered'),
  })),
);
const withStatus = (...statuses: PaymentStatus[]) =>
  evaluated.filter(({ payment }) => statuses.includes(payment.status));

/** An id from the answer to our own request needs no reference. */
const mayLackReference = ({ idSource }: ExpectedPayment) => idSource !== 'found';

test('of all statuses, ids, amounts, currencies and references, only the exact payment is paid, without a reference only for the answer to our own request', () => {
  const paid = evaluated.filter(({ result }) => result.kind === 'paid');

  const { gatewayId, amount, reference } = expected;
  const exact = { status: 'paid', currency: 'MXN', gatewayId, amount, reference };
  const allowed = ATTEMPTS.filter(({ idSource }) => idSource !== 'candidate').flatMap((attempt) => [
    { attempt, payment: exact },
    ...(mayLackReference(attempt) ? [{ attempt, payment: { ...exact, reference: undefined } }] : []),
  ]);
  expect(paid.map(({ attempt, payment }) => ({ attempt, payment }))).toEqual(allowed);
});

/** The cases in which an evaluation differs from what is expected. Comparing in one `expect` is faster. */
const differing = (wanted: (each: (typeof evaluated)[number]) => PaymentResult, of = evaluated) =>
  of.filter((each) => JSON.stringify(each.result) !== JSON.stringify(wanted(each)));

function expectedReason(
  attempt: ExpectedPayment,
  { gatewayId, amount, currency, reference }: Payment,
): PaymentReviewReason {
  if (gatewayId !== expected.gatewayId) return 'other_id';
  if (amount !== expected.amount) return 'other_amount';
  if (currency !== 'MXN') return 'other_currency';
  const isOwn = reference === undefined ? mayLackReference(attempt) : reference === expected.reference;
  return isOwn ? 'candidate' : 'other_reference';
}

test('a paid status with any difference goes to review with the first difference as reason', () => {
  const unpaid = withStatus('paid').filter(({ result }) => result.kind !== 'paid');
  const wanted = ({ attempt, payment }: (typeof evaluated)[number]) =>
    ({ kind: 'review', reason: expectedReason(attempt, payment) }) as const;

  expect(unpaid.length).toBeGreaterThan(0);
  expect(differing(wanted, unpaid)).toEqual([]);
});

test('an unclear status goes to review with any other member, but is pending while the customer may be at the bank', () => {
  const review = { kind: 'review', reason: 'unclear_status' } as const;

  expect(differing(() => review, withStatus('unclear'))).toEqual([]);
  const [{ attempt, payment } = { attempt: ATTEMPTS[0], payment: PAYMENTS[0] }] = withStatus('unclear');
  if (!attempt || !payment) throw new Error('no case');
  const atBank = { ...attempt, awaitsBank: true };
  const results = PHASES.map((phase) => evaluatePayment(withoutAbsent(payment), atBank, phase));
  expect(results).toEqual([{ kind: 'pending' }, review, review]);
});

const isAgreed = ({ attempt, payment }: (typeof evaluated)[number]) => agrees(withoutAbsent(payment), attempt);

test('an unpaid status counts if id, amount, currency and reference agree, and is pending otherwise', () => {
  const kinds = ['declined', 'expired', 'cancelled', 'pending'] as const;
  const wanted = (each: (typeof evaluated)[number]) =>
    ({ kind: kinds.find((kind) => kind === each.payment.status && isAgreed(each)) ?? 'pending' }) as const;

  expect(differing(wanted, withStatus(...kinds))).toEqual([]);
});

test.each<[PaymentStatus, Phase, PaymentResult]>([
  ['pending', 'offered', { kind: 'pending' }],
  ['pending', 'watched', { kind: 'offer_ended' }],
  ['pending', 'over', { kind: 'never_completed' }],
  ['processing', 'offered', { kind: 'pending' }],
  ['processing', 'watched', { kind: 'review', reason: 'overdue' }],
  ['processing', 'over', { kind: 'review', reason: 'overdue' }],
  ['declined', 'over', { kind: 'declined' }],
])('the status %s while the attempt is %s gives %j', (status, phase, result) => {
  const { gatewayId, amount, reference } = expected;
  const payment = { status, gatewayId, amount, reference, currency: 'MXN', gatewayStatus: '' };

  expect(ATTEMPTS.map((attempt) => evaluatePayment(payment, attempt, phase))).toEqual(ATTEMPTS.map(() => result));
});

test('only a paid status is paid in any phase, and an answer that does not agree never ends an attempt as unpaid', () => {
  const wrong = evaluated.flatMap((each) => {
    const after = PHASES.map((phase) => evaluatePayment(withoutAbsent(each.payment), each.attempt, phase).kind);
    const isPaidAlike = after.every((kind) => (kind === 'paid') === (each.result.kind === 'paid'));
    const mayEnd = isAgreed(each) || after.every((kind) => kind === 'pending' || kind === 'review');
    return isPaidAlike && mayEnd ? [] : [each];
  });

  expect(wrong).toEqual([]);
});

test('an offer is over 2 minutes after its end, and the watch 8 days after it', () => {
  const end = 1_000_000_000_000;
  const MINUTE = 60_000;
  const DAYS = 8 * 24 * 60 * MINUTE;
  const times = [-MINUTE, 2 * MINUTE, 2 * MINUTE + 1, DAYS, DAYS + 1];

  expect(times.map((since) => phaseOf(end, end + since))).toEqual(['offered', 'offered', 'watched', 'watched', 'over']);
});

const MINUTES_10 = 600_000;
const failed: FailedLookup = {
  flow: 'hosted',
  isNotFound: true,
  isOtherKey: false,
  wasFound: true,
  notFoundAt: 1,
  now: 1 + MINUTES_10,
};

test.each<[string, Partial<FailedLookup>, PaymentResult | undefined, PaymentResult | undefined]>([
  ['a session that was read before, unknown twice 10 min apart', {}, { kind: 'expired' }, { kind: 'expired' }],
  ['the same after less than 10 min', { now: MINUTES_10 }, undefined, { kind: 'review', reason: 'no_answer' }],
  ['the same for the first time', { notFoundAt: null }, undefined, { kind: 'review', reason: 'no_answer' }],
  ['the same with another key', { isOtherKey: true }, undefined, { kind: 'review', reason: 'no_answer' }],
  ...[{ wasFound: false }, { flow: 'card' } as const, { flow: 'card', wasFound: false } as const].map(
    (change): [string, Partial<FailedLookup>, PaymentResult, PaymentResult] => [
      `an unknown payment with ${JSON.stringify(change)}`,
      change,
      { kind: 'review', reason: 'not_found' },
      { kind: 'review', reason: 'not_found' },
    ],
  ),
  ['an unreachable gateway', { isNotFound: false }, undefined, { kind: 'review', reason: 'no_answer' }],
])('%s is nothing during the offer, then decided by the phase', (_what, change, watched, over) => {
  const results = PHASES.map((phase) => evaluateFailedLookup({ ...failed, ...change }, phase));

  expect(results).toEqual([undefined, watched, over]);
});

test('an answer agrees if id, amount, currency and reference are those of the request, in any status', () => {
  const wrong = evaluated.filter(({ attempt, payment }) => {
    const asPaid = { ...withoutAbsent(payment), status: 'paid' } as const;
    const result = evaluatePayment(asPaid, attempt, 'offered');
    const isExact = result.kind === 'paid' || (result.kind === 'review' && result.reason === 'candidate');
    return agrees(withoutAbsent(payment), attempt) !== isExact;
  });

  expect(wrong).toEqual([]);
});
