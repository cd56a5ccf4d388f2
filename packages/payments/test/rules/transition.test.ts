import { expect, test } from '@jest/globals';
import { type AttemptState, ORDER_STATES, type OrderState } from '@tianguis/payments/rules';
import { type PaymentEvent, type Snapshot, type Transition, transition } from '../../src/rules/transition.js';
import { PENDING } from '../support/snapshot.js';
import { ALL_CASES, type Case } from '../support/transitions.js';

const snapshot = (changes: Partial<Snapshot> = {}): Snapshot => ({ ...PENDING, ...changes });

const PAID: PaymentEvent = { type: 'looked_up', result: { kind: 'paid' } };
const isPaid = ({ event }: Case) => event.type === 'looked_up' && event.result.kind === 'paid';
const isDecision = ({ event }: Case) => event.type === 'refund_decided' || event.type === 'close_decided';
const cases = (filter: (each: Case) => boolean) => ALL_CASES.filter(filter);

/** Returns one of the cases that have these facts, event and outcome in common. */
function distinct(all: readonly Case[], facts: readonly (keyof Snapshot)[]): Iterable<Case> {
  const keyOf = ({ before, event, after }: Case) => JSON.stringify([facts.map((fact) => before[fact]), event, after]);
  return new Map(all.map((each) => [keyOf(each), each])).values();
}

test('only a paid lookup makes an order paid, and only when no other payment covers its products', () => {
  const paid = cases(({ before, after }) => before.order !== 'paid' && after.order === 'paid');

  expect(paid.length).toBeGreaterThan(0);
  expect(paid.filter((each) => !isPaid(each) || each.before.isAlreadyPaid)).toEqual([]);
});

test('a first paid lookup pays the order from every state', () => {
  const first = cases(
    (each) =>
      isPaid(each) &&
      each.before.order !== 'paid' &&
      !each.before.isAlreadyPaid &&
      !['paid', 'refunded'].includes(each.before.attempt),
  );

  for (const { before, after } of distinct(first, ['order', 'hasOtherReview', 'hasOtherEnvironment', 'hasGoods'])) {
    const kept = before.order === 'review' ? undefined : 'outcome_unknown';
    const unasked = before.hasOtherEnvironment ? 'other_environment' : null;
    const withStock = before.hasOtherReview ? kept : unasked;
    const reviewReason = before.hasGoods ? withStock : 'oversold';
    expect(after).toEqual({
      order: 'paid',
      attempt: 'paid',
      reviewReason,
      takesGoods: before.hasGoods,
    });
  }
  expect(new Set(first.map(({ before }) => before.order)).size).toBe(ORDER_STATES.length - 1);
});

test('a paid order stays paid after every event', () => {
  expect(cases(({ before, after }) => before.order === 'paid' && after.order !== 'paid')).toEqual([]);
});

test('goods are taken only if they are available, by the first payment or by a decision about an oversold order', () => {
  const taking = cases(({ after }) => after.takesGoods === true);

  expect(new Set(taking.map(({ event }) => event.type))).toEqual(
    new Set(['looked_up', 'goods_arrived', 'change_repeated']),
  );
  for (const { before, event, after } of distinct(taking, ['order', 'hasGoods', 'lacksGoods'])) {
    expect([before.hasGoods, after.order]).toEqual([true, 'paid']);
    expect(before.order === 'paid').toBe(event.type !== 'looked_up');
    expect(before.lacksGoods || event.type === 'looked_up').toBe(true);
  }
});

test('an order stays oversold until its stock is taken or its payment is returned', () => {
  const oversold = cases(({ before }) => before.order === 'paid' && before.lacksGoods);

  const resolved = oversold.filter(({ after }) => after.reviewReason === null);
  expect(resolved.length).toBeGreaterThan(0);
  for (const { before, after } of distinct(resolved, ['paysTheOrder'])) {
    expect(before.paysTheOrder).toBe(true);
    expect(after.takesGoods === true || after.attempt === 'refunded').toBe(true);
  }
});

test('a second payment sets its review reason, and a paid order stays paid', () => {
  const paid = snapshot({ order: 'paid', isAlreadyPaid: true });
  const replaced = snapshot({ order: 'cancelled', attempt: 'superseded', isAlreadyPaid: true });

  expect(transition(paid, PAID)).toMatchObject({ order: 'paid', reviewReason: 'second_payment' });
  expect(transition(replaced, PAID)).toMatchObject({ order: 'review', reviewReason: 'second_payment' });
});

test('a paid attempt changes only by a refund, and a refund decision changes no attempt that paid its order', () => {
  const changed = cases(({ before, after }) => before.attempt === 'paid' && after.attempt !== 'paid');

  expect(changed.length).toBeGreaterThan(0);
  expect(new Set(changed.map(({ event }) => event.type))).toEqual(new Set(['refund_decided', 'refunded']));
  for (const { before, event, after } of distinct(changed, ['paysTheOrder'])) {
    expect(after.attempt).toBe('refunded');
    if (event.type === 'refund_decided') expect(before.paysTheOrder).toBe(false);
  }
});

test('a refunded attempt stays refunded and changes its order only by a decision', () => {
  const isRepeated = ({ event }: Case) => event.type === 'change_repeated';
  const refunded = cases((each) => each.before.attempt === 'refunded' && !isDecision(each) && !isRepeated(each));

  expect(
    refunded.filter(
      ({ before, after }) => after.attempt !== 'refunded' || after.order !== before.order || after.reviewReason,
    ),
  ).toEqual([]);
});

test.each(['declined', 'expired', 'cancelled'] as const)(
  'a lookup with %s ends a waiting order only through its own live attempt',
  (kind) => {
    const ended = cases(
      ({ event, before, after }) =>
        event.type === 'looked_up' && event.result.kind === kind && after.order !== before.order,
    );

    expect(ended.length).toBeGreaterThan(0);
    for (const { before, after } of distinct(ended, ['order', 'attempt', 'hasOtherLiveAttempt'])) {
      expect(['created', 'pending']).toContain(before.order);
      expect(before.attempt).not.toBe('superseded');
      expect(before.hasOtherLiveAttempt).toBe(false);
      expect([after.order, after.attempt]).toEqual([kind, kind]);
    }
  },
);

test('a lookup never ends an order in review or with an unknown outcome as unpaid', () => {
  const ended = cases(
    ({ event, before, after }) =>
      event.type === 'looked_up' &&
      ['review', 'outcome_unknown'].includes(before.order) &&
      !['review', 'outcome_unknown', 'paid'].includes(after.order),
  );

  expect(ended).toEqual([]);
});

test.each<[PaymentEvent['type'], OrderState, AttemptState, OrderState, AttemptState]>([
  ['opened', 'created', 'creating', 'pending', 'open'],
  ['opened', 'outcome_unknown', 'unknown', 'pending', 'open'],
  ['opened', 'paid', 'creating', 'paid', 'superseded'],
  ['opened', 'cancelled', 'superseded', 'cancelled', 'superseded'],
  ['opened', 'created', 'failed', 'created', 'superseded'],
  ['opened', 'review', 'creating', 'review', 'superseded'],
  ['opened', 'declined', 'unknown', 'declined', 'superseded'],
  ['opened', 'outcome_unknown', 'superseded', 'outcome_unknown', 'superseded'],
  ['start_failed', 'created', 'creating', 'created', 'failed'],
  ['start_failed', 'outcome_unknown', 'unknown', 'declined', 'failed'],
  ['start_failed', 'paid', 'unknown', 'paid', 'failed'],
  ['start_failed', 'pending', 'creating', 'cancelled', 'failed'],
  ['start_failed', 'pending', 'open', 'pending', 'open'],
  ['start_failed', 'pending', 'superseded', 'pending', 'failed'],
  ['start_failed', 'outcome_unknown', 'superseded', 'outcome_unknown', 'failed'],
  ['start_declined', 'created', 'creating', 'declined', 'declined'],
  ['start_declined', 'outcome_unknown', 'unknown', 'declined', 'declined'],
  ['start_declined', 'paid', 'creating', 'paid', 'declined'],
  ['start_declined', 'pending', 'open', 'pending', 'open'],
  ['answer_lost', 'created', 'creating', 'outcome_unknown', 'unknown'],
  ['answer_lost', 'cancelled', 'superseded', 'outcome_unknown', 'unknown'],
  ['answer_lost', 'paid', 'creating', 'paid', 'unknown'],
  ['answer_lost', 'pending', 'open', 'pending', 'open'],
  ['answer_lost', 'pending', 'unknown', 'pending', 'unknown'],
  ['answer_lost', 'review', 'creating', 'review', 'unknown'],
  ['answer_lost', 'cancelled', 'cancelled', 'cancelled', 'cancelled'],
  ['found', 'outcome_unknown', 'unknown', 'pending', 'open'],
  ['found', 'cancelled', 'cancelled', 'cancelled', 'superseded'],
  ['found', 'declined', 'declined', 'declined', 'declined'],
  ['superseded', 'pending', 'creating', 'pending', 'superseded'],
  ['superseded', 'pending', 'open', 'pending', 'superseded'],
  ['superseded', 'pending', 'unknown', 'pending', 'superseded'],
])('the event %s changes order %s and attempt %s to %s and %s', (type, order, attempt, ...expected) => {
  const after = transition(snapshot({ order, attempt }), { type } as PaymentEvent);

  expect([after.order, after.attempt]).toEqual(expected);
});

const MISMATCH: PaymentEvent = { type: 'looked_up', result: { kind: 'review', reason: 'other_amount' } };
const DECLINED: PaymentEvent = { type: 'looked_up', result: { kind: 'declined' } };
const ARRIVED: PaymentEvent = { type: 'goods_arrived' };
const OUTSIDE: PaymentEvent = { type: 'paid_outside' };
const LOST: PaymentEvent = { type: 'answer_lost' };
const REPEATED: PaymentEvent = { type: 'change_repeated' };
const OVERSOLD = { order: 'paid', paysTheOrder: true, lacksGoods: true } as const;

test.each<[PaymentEvent, Partial<Snapshot>, Partial<Transition>]>([
  [MISMATCH, {}, { order: 'review', attempt: 'review', reviewReason: 'other_amount' }],
  [MISMATCH, { order: 'paid' }, { order: 'paid', attempt: 'review', reviewReason: 'other_amount' }],
  [PAID, { order: 'paid' }, { order: 'paid', attempt: 'paid', reviewReason: 'second_payment' }],
  [DECLINED, { attempt: 'expired' }, { order: 'pending', attempt: 'expired' }],
  [ARRIVED, { ...OVERSOLD, attempt: 'paid' }, { order: 'paid', takesGoods: true, reviewReason: null }],
  [ARRIVED, { ...OVERSOLD, attempt: 'refunded' }, { order: 'paid', takesGoods: undefined }],
  [
    ARRIVED,
    { ...OVERSOLD, attempt: 'paid', hasOtherReview: true },
    { order: 'paid', takesGoods: true, reviewReason: 'outcome_unknown' },
  ],
  [REPEATED, { attempt: 'declined', order: 'declined' }, { order: 'declined', reviewReason: null }],
  [REPEATED, { ...OVERSOLD, attempt: 'paid' }, { order: 'paid', takesGoods: true, reviewReason: null }],
  [
    REPEATED,
    { ...OVERSOLD, attempt: 'paid', hasGoods: false },
    { order: 'paid', takesGoods: undefined, reviewReason: 'oversold' },
  ],
  [
    REPEATED,
    { ...OVERSOLD, attempt: 'paid', lacksGoods: false, hasOtherReview: true },
    { order: 'paid', takesGoods: false, reviewReason: 'outcome_unknown' },
  ],
  [REPEATED, { order: 'paid', attempt: 'paid', missesRefund: true }, { order: 'paid', reviewReason: null }],
  [PAID, { order: 'cancelled', missesRefund: true }, { order: 'paid', takesGoods: true, reviewReason: 'host_failed' }],
  [
    PAID,
    { order: 'cancelled', missesRefund: true, hasGoods: false },
    { order: 'paid', takesGoods: false, reviewReason: 'oversold' },
  ],
  [
    ARRIVED,
    { ...OVERSOLD, attempt: 'paid', missesRefund: true },
    { order: 'paid', takesGoods: true, reviewReason: 'host_failed' },
  ],
  [LOST, { order: 'paid', attempt: 'creating' }, { order: 'paid', reviewReason: 'outcome_unknown' }],
])('the event %j changes an open attempt of a pending order, with %j, to %j', (event, facts, expected) => {
  expect({ takesGoods: undefined, ...transition(snapshot(facts), event) }).toMatchObject(expected);
});

test.each<[PaymentEvent['type'], OrderState, OrderState]>([
  ['order_replaced', 'created', 'cancelled'],
  ['order_replaced', 'cancelled', 'cancelled'],
  ['close_decided', 'created', 'cancelled'],
  ['close_decided', 'cancelled', 'cancelled'],
])('the event %s changes an order without an attempt from %s to %s', (type, order, expected) => {
  const after = transition({ ...snapshot(), order, attempt: null }, { type } as PaymentEvent);

  expect(after).toMatchObject({ order: expected, attempt: null });
});

const UNPAID = ['created', 'pending', 'declined', 'expired', 'cancelled'] as const;

test.each(UNPAID)('a payment outside pays an order that is %s', (order) => {
  const outside = (facts: Partial<Snapshot>) => transition({ ...snapshot(facts), order, attempt: null }, OUTSIDE);

  const paid = { order: 'paid', attempt: 'paid' };
  expect(outside({})).toEqual({ ...paid, reviewReason: null, takesGoods: true });
  expect(outside({ hasGoods: false })).toEqual({ ...paid, reviewReason: 'oversold', takesGoods: false });
});

test.each<[OrderState, Partial<Snapshot>]>([
  ['paid', {}],
  ['review', {}],
  ['outcome_unknown', {}],
  ['declined', { isAlreadyPaid: true }],
  ['declined', { mayBeCharged: true }],
])('a payment outside changes no order that is %s with %j', (order, facts) => {
  const after = transition({ ...snapshot(facts), order, attempt: null }, OUTSIDE);

  expect(after).toEqual({ order, attempt: null });
});

test('a payment outside is no event of an earlier attempt', () => {
  expect(() => transition(snapshot(), OUTSIDE)).toThrow('inserts an attempt of its own');
});

test('an event of an attempt is refused for an order without one', () => {
  expect(() => transition({ ...snapshot(), attempt: null }, PAID)).toThrow('the event looked_up needs an attempt');
});

test('a newer order cancels an older one that waits for its payment, and no other', () => {
  const ended = cases(({ event, before, after }) => event.type === 'order_replaced' && after.order !== before.order);

  expect(new Set(ended.map(({ before, after }) => `${before.order} ${after.order}`))).toEqual(
    new Set(['created cancelled', 'pending cancelled']),
  );
});

test.each<['refund_decided' | 'close_decided', AttemptState, Partial<Snapshot>, AttemptState]>([
  ['refund_decided', 'review', {}, 'refunded'],
  ['refund_decided', 'unknown', {}, 'refunded'],
  ['refund_decided', 'paid', {}, 'refunded'],
  ['refund_decided', 'paid', { paysTheOrder: true }, 'paid'],
  ['refund_decided', 'open', {}, 'superseded'],
  ['refund_decided', 'open', { isOtherEnvironment: true }, 'refunded'],
  ['refund_decided', 'superseded', { isOtherEnvironment: true }, 'refunded'],
  ['refund_decided', 'superseded', {}, 'superseded'],
  ['close_decided', 'review', {}, 'cancelled'],
  ['close_decided', 'review', { awaitsCustomer: true }, 'superseded'],
  ['refund_decided', 'review', { awaitsCustomer: true }, 'refunded'],
  ['close_decided', 'unknown', {}, 'cancelled'],
  ['close_decided', 'paid', {}, 'paid'],
  ['close_decided', 'open', { isOtherEnvironment: true }, 'superseded'],
  ['close_decided', 'declined', {}, 'declined'],
])('the event %s changes an attempt that is %s with %j to %s', (type, attempt, facts, state) => {
  expect(transition(snapshot({ ...facts, order: 'review', attempt }), { type }).attempt).toBe(state);
});

test.each<[OrderState, AttemptState, Partial<Snapshot>, OrderState, AttemptState, unknown]>([
  ['paid', 'paid', { paysTheOrder: true }, 'paid', 'refunded', null],
  ['paid', 'paid', { paysTheOrder: true, lacksGoods: true }, 'paid', 'refunded', null],
  ['paid', 'paid', { paysTheOrder: true, hasOtherReview: true }, 'paid', 'refunded', undefined],
  [
    'paid',
    'paid',
    { paysTheOrder: true, lacksGoods: true, hasOtherReview: true },
    ...(['paid', 'refunded', 'second_payment'] as const),
  ],
  ['paid', 'paid', {}, 'paid', 'refunded', null],
  ['paid', 'paid', { lacksGoods: true }, 'paid', 'refunded', 'oversold'],
  ['paid', 'paid', { lacksGoods: true, isHostBehind: true }, 'paid', 'refunded', 'host_failed'],
  ['paid', 'paid', { paysTheOrder: true, isHostBehind: true }, 'paid', 'refunded', null],
  ['paid', 'paid', { paysTheOrder: true, missesRefund: true }, 'paid', 'refunded', 'host_failed'],
  ['paid', 'paid', { missesRefund: true }, 'paid', 'refunded', 'host_failed'],
  ['paid', 'review', {}, 'paid', 'refunded', null],
  ['review', 'paid', { missesRefund: true }, 'cancelled', 'refunded', 'host_failed'],
  ['review', 'paid', {}, 'cancelled', 'refunded', null],
  ['review', 'review', {}, 'cancelled', 'refunded', null],
  ['review', 'review', { hasOtherReview: true }, 'review', 'refunded', undefined],
  ['cancelled', 'paid', {}, 'cancelled', 'refunded', undefined],
  ['paid', 'refunded', { paysTheOrder: true }, 'paid', 'refunded', undefined],
  ['pending', 'open', {}, 'pending', 'open', undefined],
])('a full refund of %s and %s with %j leads to %s, %s, review %s', (order, attempt, facts, ...expected) => {
  const after = transition(snapshot({ order, attempt, ...facts }), { type: 'refunded' });

  expect([after.order, after.attempt, after.reviewReason]).toEqual(expected);
  expect(after.takesGoods).toBeUndefined();
});

test('a decision cancels an unpaid order and clears its review reason', () => {
  const others = cases(isDecision).filter(
    ({ before, after }) =>
      after.order !== (before.order === 'paid' ? 'paid' : 'cancelled') ||
      after.reviewReason !==
        (before.isHostBehind || before.missesRefund ? 'host_failed' : before.lacksGoods ? 'oversold' : null),
  );

  expect(others).toEqual([]);
});

test('every order state is reached, and no event returns an order to created', () => {
  const reached = new Set<string>(['created']);
  for (const { before, after } of ALL_CASES) if (before.order !== 'paid') reached.add(after.order);

  const created = cases(({ before, after }) => before.order !== 'created' && after.order === 'created');
  expect(reached).toEqual(new Set(ORDER_STATES));
  expect(created).toEqual([]);
});
