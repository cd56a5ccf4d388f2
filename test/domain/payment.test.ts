import { describe, expect, test } from '@jest/globals';
import { centavos } from '../../src/domain/money.js';
import {
  conclude,
  concludeNotFound,
  type Evidence,
  judge,
  type Promised,
  type Reading,
  type Verdict,
} from '../../src/domain/payment.js';

const promised: Promised = { id: 'cs_1', amount: centavos(15_000), reference: 'TG-7KMX-2AFR' };

const READINGS = ['paid', 'pending', 'declined', 'expired', 'cancelled', 'unclear'] as const;
const IDS = [promised.id, 'cs_2', undefined] as const;
const AMOUNTS = [
  promised.amount,
  centavos(14_999),
  centavos(15_001),
  centavos(1_500_000),
  centavos(0),
  undefined,
] as const;
const CURRENCIES = ['MXN', 'mxn', 'USD', '', undefined] as const;
const REFERENCES = [promised.reference, 'TG-7KMX-2AFX', 'tg-7kmx-2afr', '', undefined] as const;

const cases = READINGS.flatMap((reading) =>
  IDS.flatMap((id) =>
    AMOUNTS.flatMap((amount) =>
      CURRENCIES.flatMap((currency) =>
        REFERENCES.map((reference) => ({ reading, id, amount, currency, reference })),
      ),
    ),
  ),
);

type Case = (typeof cases)[number];

/** Absent members are absent, not `undefined`. */
function evidence({ reading, ...rest }: Case): Evidence {
  const present = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return { reading, words: 'words', ...present };
}

function isAsPromised(one: Case): boolean {
  return (
    one.id === promised.id &&
    one.amount === promised.amount &&
    one.currency === 'MXN' &&
    one.reference === promised.reference
  );
}

const judged = cases.map((one) => ({ one, verdict: judge(evidence(one), promised) }));
const withReading = (...readings: Reading[]) => judged.filter(({ one }) => readings.includes(one.reading));

describe('judging what the service says about an attempt', () => {
  test('of every reading with every difference, exactly one combination is paid', () => {
    const paid = judged.filter(({ verdict }) => verdict.kind === 'paid');

    expect(paid.map(({ one }) => one)).toEqual([
      { reading: 'paid', id: promised.id, amount: 15_000, currency: 'MXN', reference: promised.reference },
    ]);
  });

  test('a paid reading with any difference is held, and the first difference is named', () => {
    for (const { one, verdict } of withReading('paid').filter(({ one }) => !isAsPromised(one))) {
      const difference =
        (one.id !== promised.id && 'other_id') ||
        (one.amount !== promised.amount && 'other_amount') ||
        (one.currency !== 'MXN' && 'other_currency') ||
        'other_reference';
      expect({ one, verdict }).toEqual({ one, verdict: { kind: 'hold', reason: difference } });
    }
  });

  test('a word nobody knows is held, whatever stands beside it', () => {
    for (const { verdict } of withReading('unclear')) {
      expect(verdict).toEqual({ kind: 'hold', reason: 'unclear_status' });
    }
  });

  test('an ending counts for the id it was asked about, and is no news about another', () => {
    for (const { one, verdict } of withReading('declined', 'expired', 'cancelled', 'pending')) {
      expect(verdict).toEqual({ kind: one.id === promised.id ? one.reading : 'pending' });
    }
  });
});

describe('a last look, when the time of an attempt is up', () => {
  test.each<['hosted' | 'card', Verdict]>([
    ['hosted', { kind: 'expired' }],
    ['card', { kind: 'hold', reason: 'overdue' }],
  ])('ends the waiting of a %s payment with %j', (kind, end) => {
    expect(conclude({ kind: 'pending' }, kind)).toEqual(end);
  });

  test.each<Verdict>([
    { kind: 'paid' },
    { kind: 'declined' },
    { kind: 'expired' },
    { kind: 'cancelled' },
    { kind: 'hold', reason: 'other_amount' },
  ])('changes nothing about %j', (verdict) => {
    expect(conclude(verdict, 'hosted')).toEqual(verdict);
    expect(conclude(verdict, 'card')).toEqual(verdict);
  });

  test('finds no payment in what is not one, whatever the service answered', () => {
    const made = judged.filter(({ verdict }) =>
      (['hosted', 'card'] as const).some((kind) => conclude(verdict, kind).kind === 'paid'),
    );

    expect(made.map(({ verdict }) => verdict)).toEqual([{ kind: 'paid' }]);
  });
});

describe('an attempt that the service does not know after its time', () => {
  test.each<['hosted' | 'card', boolean, Verdict]>([
    ['hosted', true, { kind: 'expired' }],
    ['hosted', false, { kind: 'hold', reason: 'not_found' }],
    ['card', true, { kind: 'hold', reason: 'not_found' }],
    ['card', false, { kind: 'hold', reason: 'not_found' }],
  ])('of the %s flow, found before: %j, is %j', (kind, wasFound, verdict) => {
    expect(concludeNotFound({ kind, wasFound })).toEqual(verdict);
  });
});
