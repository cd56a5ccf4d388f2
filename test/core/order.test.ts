import { describe, expect, test } from '@jest/globals';
import {
  ATTEMPT_STATES,
  type AttemptState,
  canMove,
  decide,
  LIVE_ATTEMPT_STATES,
  ORDER_MOVES,
  ORDER_STATES,
  type OrderState,
  type Standing,
  UNPAID_ENDS,
  WATCHED_ATTEMPT_STATES,
} from '../../src/core/order.js';
import type { Verdict } from '../../src/core/payment.js';

const VERDICTS: readonly Verdict[] = [
  { kind: 'paid' },
  { kind: 'pending' },
  { kind: 'declined' },
  { kind: 'expired' },
  { kind: 'cancelled' },
  { kind: 'hold', reason: 'unclear_status' },
  { kind: 'hold', reason: 'other_amount' },
];

const standings: readonly Standing[] = ORDER_STATES.flatMap((order) =>
  ATTEMPT_STATES.flatMap((attempt) =>
    [true, false].flatMap((otherLive) =>
      [true, false].map((alreadyPaid) => ({ order, attempt, otherLive, alreadyPaid })),
    ),
  ),
);

const everything = standings.flatMap((standing) =>
  VERDICTS.map((verdict) => ({ standing, verdict, decision: decide(standing, verdict) })),
);

const standing = (changes: Partial<Standing> = {}): Standing => ({
  order: 'pending',
  attempt: 'open',
  otherLive: false,
  alreadyPaid: false,
  ...changes,
});

describe('the table of an order’s life', () => {
  test('every state can be reached from a new order', () => {
    const reached = new Set<OrderState>(['created']);
    for (const state of reached) for (const next of ORDER_MOVES[state]) reached.add(next);

    expect(reached).toEqual(new Set(ORDER_STATES));
  });

  test('money reaches an order from everywhere, and nothing leads away from paid', () => {
    const leads = ORDER_STATES.filter((state) => canMove(state, 'paid'));

    expect(leads).toEqual(ORDER_STATES.filter((state) => state !== 'paid'));
    expect(ORDER_MOVES.paid).toEqual([]);
  });

  test('no state leads to itself or back to the start', () => {
    expect(ORDER_STATES.filter((state) => canMove(state, state) || canMove(state, 'created'))).toEqual([]);
  });

  test('what waits for a person is never ended by an expiry', () => {
    expect(canMove('review', 'expired')).toBe(false);
    expect(canMove('review', 'pending')).toBe(false);
    expect(canMove('outcome_unknown', 'expired')).toBe(false);
  });

  test.each<[OrderState, readonly OrderState[]]>([
    ['pending', ['created', 'outcome_unknown', 'declined', 'expired', 'cancelled']],
    ['outcome_unknown', ['created', 'pending', 'declined', 'expired', 'cancelled']],
    ['declined', ['created', 'pending', 'outcome_unknown']],
    ['expired', ['created', 'pending']],
    ['cancelled', ['created', 'pending', 'outcome_unknown', 'declined', 'expired', 'review']],
    ['review', ['created', 'pending', 'outcome_unknown', 'declined', 'expired', 'cancelled']],
  ])('an order becomes %s from %j and from nowhere else', (to, from) => {
    expect(ORDER_STATES.filter((state) => canMove(state, to))).toEqual(from);
  });

  test.each<[AttemptState, string[]]>([
    ['creating', ['live']],
    ['open', ['live', 'watched']],
    ['unknown', ['live']],
    ['superseded', ['watched']],
    ['failed', ['unpaid end']],
    ['paid', []],
    ['declined', ['unpaid end']],
    ['expired', ['unpaid end']],
    ['cancelled', ['unpaid end']],
    ['held', ['watched']],
    ['refunded', []],
  ])('an attempt that is %s counts as %j', (state, groups) => {
    expect(ATTEMPT_STATES).toContain(state);
    expect(
      [
        LIVE_ATTEMPT_STATES.includes(state) && 'live',
        WATCHED_ATTEMPT_STATES.includes(state) && 'watched',
        UNPAID_ENDS.includes(state) && 'unpaid end',
      ].filter(Boolean),
    ).toEqual(groups);
  });
});

describe('what a verdict does', () => {
  test('whatever stands and whatever comes, an order moves only as the table knows', () => {
    const wrong = everything.filter(
      ({ standing: { order }, decision }) => decision.order !== undefined && !canMove(order, decision.order),
    );

    expect(wrong).toEqual([]);
  });

  test('only a paid verdict makes an order paid', () => {
    const made = everything.filter(({ decision }) => decision.order === 'paid');

    expect(new Set(made.map(({ verdict }) => verdict.kind))).toEqual(new Set(['paid']));
    expect(made.every(({ standing: { alreadyPaid } }) => !alreadyPaid)).toBe(true);
  });

  test('an order that is paid stays paid, whatever is heard', () => {
    const paid = everything.filter(({ standing: { order } }) => order === 'paid');

    expect(paid.filter(({ decision }) => decision.order !== undefined)).toEqual([]);
  });

  test('an attempt that is paid stays paid and asks for nobody, whatever crosses the news of it', () => {
    const paid = everything.filter(({ standing: { attempt } }) => attempt === 'paid');

    for (const { decision } of paid) expect(decision).toEqual({ attempt: 'paid' });
  });

  test('money that was given back stays given back, whatever the service goes on saying', () => {
    const refunded = everything.filter(({ standing: { attempt } }) => attempt === 'refunded');

    for (const { decision } of refunded) expect(decision).toEqual({ attempt: 'refunded' });
  });

  test('every first paid verdict pays the order, also after a decline, an expiry or a doubt', () => {
    const open = ORDER_STATES.filter((order) => order !== 'paid');
    const attempts = ATTEMPT_STATES.filter((attempt) => !['paid', 'refunded'].includes(attempt));

    for (const order of open) {
      for (const attempt of attempts) {
        expect(decide(standing({ order, attempt }), { kind: 'paid' })).toEqual({
          attempt: 'paid',
          order: 'paid',
        });
      }
    }
  });

  test('a second payment is kept for a person and never called paid', () => {
    const decision = (order: OrderState) => decide(standing({ order, alreadyPaid: true }), { kind: 'paid' });

    expect(decision('paid')).toEqual({ attempt: 'paid', attention: 'second_payment' });
    expect(decision('review')).toEqual({ attempt: 'paid', attention: 'second_payment' });
    for (const order of [
      'created',
      'pending',
      'outcome_unknown',
      'declined',
      'expired',
      'cancelled',
    ] as const) {
      expect(decision(order)).toEqual({ attempt: 'paid', order: 'review', attention: 'second_payment' });
    }
  });

  test('a doubt holds the attempt, tells a person why, and leaves a paid order paid', () => {
    const hold: Verdict = { kind: 'hold', reason: 'other_amount' };
    const doubts = everything.filter(
      ({ standing: { attempt }, verdict }) =>
        verdict.kind === 'hold' && !['paid', 'refunded'].includes(attempt),
    );

    expect(doubts.every(({ decision }) => decision.attempt === 'held' && decision.attention)).toBe(true);
    expect(decide(standing(), hold)).toEqual({ attempt: 'held', order: 'review', attention: 'other_amount' });
    expect(decide(standing({ order: 'paid', alreadyPaid: true }), hold)).toEqual({
      attempt: 'held',
      attention: 'other_amount',
    });
  });

  test('no news changes nothing', () => {
    for (const { standing: before, decision } of everything.filter(
      ({ verdict }) => verdict.kind === 'pending',
    )) {
      expect(decision).toEqual({ attempt: before.attempt });
    }
  });

  test.each(['declined', 'expired', 'cancelled'] as const)(
    'an attempt that ended %s ends an order that waited for it alone',
    (kind) => {
      expect(decide(standing(), { kind })).toEqual({ attempt: kind, order: kind });
      expect(decide(standing({ order: 'created' }), { kind })).toEqual({ attempt: kind, order: kind });
    },
  );

  test.each<[string, Partial<Standing>]>([
    ['another attempt is live', { otherLive: true }],
    ['the attempt was superseded', { attempt: 'superseded' }],
    ['the order is under review', { order: 'review' }],
    ['the order’s outcome is unknown', { order: 'outcome_unknown' }],
    ['the order is paid', { order: 'paid', alreadyPaid: true }],
    ['the order has ended already', { order: 'cancelled' }],
  ])('an ended attempt leaves the order where it is when %s', (_when, changes) => {
    expect(decide(standing(changes), { kind: 'expired' })).toEqual({ attempt: 'expired' });
  });

  test('no attempt falls back to a state before the service was asked', () => {
    const backwards: readonly AttemptState[] = ['creating', 'failed', 'superseded', 'unknown'];
    const fallen = everything.filter(
      ({ standing: { attempt }, decision }) =>
        decision.attempt !== attempt && backwards.includes(decision.attempt),
    );

    expect(fallen).toEqual([]);
  });
});
