/** The events of the state search: what may happen next in a world. Each event is atomic, as its transaction is. */

import { mayCancel } from '@tianguis/payments/back-office';
import {
  type Attempt,
  hasNoAnswer,
  isOffered,
  isUncertain,
  openDecisions,
  PAYMENT_FLOWS,
  type PaymentFlow,
} from '@tianguis/payments/rules';
import { lacksGatewayId } from '../../src/link-payment.js';
import { abandonmentOf } from '../../src/rules/decide-start.js';
import type { PaymentEvent } from '../../src/rules/transition.js';
import { answerOf, applyAnswer, expireLeases, FOREIGN, mayLookUp, verify } from './lookup.js';
import {
  type Answer,
  apply,
  applyToUnstarted,
  attemptOf,
  type Charge,
  demand,
  type GatewayRecord,
  idOf,
  isLive,
  LAST_TICK,
  MINUTE_MS,
  now,
  objectionTo,
  payOutside,
  replaceBy,
  type Starter,
  statedAttempt,
  type World,
  withAt,
  withAttempt,
} from './world.js';

export type Move = readonly [name: string, world: World];

/** An order can be paid from its link for 7 days. */
const LINK_MS = 7 * 24 * 60 * MINUTE_MS;

/** Returns every event that may happen next. */
export function movesOf(world: World): readonly Move[] {
  const ordinals = world.attempts.map(({ ordinal }) => ordinal);
  return [
    ...(world.tick < LAST_TICK ? [['time passes', pass(world)] as const] : []),
    ...submits(world),
    ...ordinals.flatMap((ordinal) => [
      ...starts(world, ordinal),
      ...payments(world, ordinal),
      ...lookups(world, ordinal),
      ...webhooks(world, ordinal),
      ...refunds(world, ordinal),
    ]),
    ...returns(world),
    ...decisions(world),
    ...otherPersons(world),
  ];
}

/** An unusual event. Each sequence has a limited number of them. */
function fault(world: World, moves: (left: World) => readonly Move[]): readonly Move[] {
  return world.faults > 0 ? moves({ ...world, faults: world.faults - 1 }) : [];
}

export function pass(world: World): World {
  const later = { ...world, tick: world.tick + 1 };
  // A reservation ends with the offer of the first page.
  return { ...later, stock: { ...later.stock, isReserved: later.stock.isReserved && later.tick < 2 } };
}

const BOTH = [false, true];

function submits(world: World): readonly Move[] {
  const verified = verify(world, false);
  return PAYMENT_FLOWS.flatMap((flow) =>
    BOTH.flatMap((payAgain) =>
      BOTH.map((isFromLink): Move => {
        const person = isFromLink ? 'another device, from the link,' : 'the customer';
        const name = `${person} submits ${flow}${payAgain ? ', and confirms to pay again' : ''}`;
        return [name, submit(world, verified, { flow, payAgain, isFromLink })];
      }),
    ),
  );
}

type Verified = ReturnType<typeof verify>;

interface Submit {
  readonly flow: PaymentFlow;
  readonly payAgain: boolean;
  readonly isFromLink: boolean;
}

/** As `startAttempt`: decides, looks up if the decision asks for it, and decides again. */
function submit(before: World, verified: Verified, request: Submit): World {
  const first = decideIn(before, request);
  const isVerified = first.kind === 'verify_first';
  const world = isVerified ? verified.world : before;
  const decision = isVerified ? decideIn(world, request, verified.lookups) : first;
  if (decision.kind === 'lease') return lease(world, request);
  const page = decision.kind === 'redirect' && world.attempts.find(({ redirectUrl }) => redirectUrl === decision.url);
  return page ? withShown(world, page.ordinal) : world;
}

function decideIn(world: World, { flow, payAgain, isFromLink }: Submit, lookups?: Verified['lookups']) {
  return world.f.decideStart({
    flow,
    payAgain,
    isFromLink,
    state: world.order,
    payableUntil: world.hasLink ? LINK_MS : null,
    isBlocked: world.replacedBy !== 'none',
    attempts: world.attempts.map(statedAttempt),
    lookups,
    environment: 'test',
    at: now(world),
  });
}

const withShown = (world: World, ordinal: number): World =>
  world.shown.includes(ordinal) ? world : { ...world, shown: [...world.shown, ordinal] };

function lease(world: World, { flow, payAgain }: Submit): World {
  const mayBeCharged = world.attempts.some(({ state }) => state === 'unknown' || state === 'creating');
  demand(!mayBeCharged, 'I5: no attempt starts while the outcome of an earlier one is unknown');
  if (world.attempts.length === world.maxAttempts) return world;
  if (world.attempts.length > 0 && world.stock.onHand === 0) return world;
  const live = world.attempts.find(isLive);
  const patch = live && abandonmentOf(live, 'test', 1);
  const alone = live ? apply(world, live.ordinal, { type: 'superseded' }, patch ? { patch } : {}) : world;
  return { ...withAttempt(alone, flow), isWarned: world.isWarned || payAgain };
}

/** The steps of the process that started an attempt. It may die before and after its call. */
function starts(world: World, ordinal: number): readonly Move[] {
  const starter = world.starters[ordinal - 1];
  if (!starter) return [];
  const dead = fault(world, (left) => [[`the process of attempt ${ordinal} dies`, withStarter(left, ordinal, null)]]);
  if (starter !== 'may_call') return [[`the response of attempt ${ordinal} is stored`, store(world, ordinal)], ...dead];
  const { flow, leasedUntil } = attemptOf(world, ordinal);
  // The deadline of a call is below the lease.
  if (now(world) > leasedUntil) return dead;
  const called = flow === 'hosted' ? sessionCalls : cardCalls;
  const calls = (from: World, responses: Responses) =>
    Object.entries(responses).map(([name, [record, response]]): Move => {
      const records = withAt(from.records, ordinal, record);
      return [`the gateway call of attempt ${ordinal}: ${name}`, withStarter({ ...from, records }, ordinal, response)];
    });
  const { usual, unusual } = called(ordinal);
  const isTaken = world.attempts.some(({ gatewayId }) => gatewayId !== null);
  const named: Responses = isTaken
    ? { 'the answer names the id of another attempt': [PENDING, unproven(world, ordinal)] }
    : {};
  return [...calls(world, usual), ...fault(world, (left) => calls(left, { ...unusual, ...named })), ...dead];
}

function withStarter(world: World, ordinal: number, starter: Starter | null): World {
  return { ...world, starters: withAt(world.starters, ordinal, starter) };
}

type Responses = Readonly<Record<string, readonly [GatewayRecord | null, Starter]>>;

const PENDING: GatewayRecord = { status: 'pending', charge: null, isUnwatched: false, isReturned: false };
const PAID: GatewayRecord = { ...PENDING, status: 'paid', charge: 'exact' };
const DECLINED: GatewayRecord = { ...PENDING, status: 'declined' };
const without = (type: 'start_failed' | 'start_declined' | 'answer_lost'): Starter => ({
  event: { type },
  patch: {},
  verifies: false,
});
const opened = (ordinal: number, patch: Partial<Attempt>): Starter => ({
  event: { type: 'opened' },
  patch: { gatewayId: idOf(ordinal), idSource: 'answer', ...patch },
  verifies: patch.redirectUrl === undefined,
});

/** A response with the id of another attempt proves nothing about this one. */
const unproven = (world: World, ordinal: number): Starter =>
  without(attemptOf(world, ordinal).flow === 'card' ? 'answer_lost' : 'start_failed');

const sessionCalls = (ordinal: number) => ({
  usual: { created: [PENDING, opened(ordinal, { redirectUrl: `page-${ordinal}` })] } as Responses,
  unusual: { refused: [null, without('start_failed')], 'answer lost': [PENDING, without('start_failed')] } as Responses,
});

const cardCalls = (ordinal: number) => ({
  usual: {
    charged: [PAID, opened(ordinal, { gatewayStatus: 'paid' })],
    'the bank asks the customer': [
      PENDING,
      opened(ordinal, { gatewayStatus: 'pending', redirectUrl: `bank-${ordinal}` }),
    ],
    declined: [DECLINED, opened(ordinal, { gatewayStatus: 'declined' })],
  } as Responses,
  unusual: {
    refused: [null, without('start_failed')],
    'declined without an id': [null, without('start_declined')],
    'charged, answer lost': [PAID, without('answer_lost')],
    'not received, answer lost': [null, without('answer_lost')],
  } as Responses,
});

/** As `storeResponse`. An immediate card payment is looked up at once. */
function store(world: World, ordinal: number): World {
  const starter = world.starters[ordinal - 1];
  if (!starter || starter === 'may_call') return world;
  const { gatewayId, state } = attemptOf(world, ordinal);
  const patch = gatewayId === null ? starter.patch : {};
  const applied = apply(withStarter(world, ordinal, null), ordinal, starter.event, { patch });
  const isUsable = world.order !== 'paid' && world.order !== 'review' && state === 'creating';
  const stored = isUsable && patch.redirectUrl ? withShown(applied, ordinal) : applied;
  return starter.verifies ? verify(stored, false).world : stored;
}

/** What the customer and the gateway do with a page that the customer has. */
function payments(world: World, ordinal: number): readonly Move[] {
  const { state, flow, offerEndsAt } = attemptOf(world, ordinal);
  const record = world.records[ordinal - 1];
  if (record?.status !== 'pending' || !world.shown.includes(ordinal)) return [];
  const become = (from: World, name: string, change: Partial<GatewayRecord>): Move => [
    `the payment of attempt ${ordinal} is ${name}`,
    { ...from, records: withAt(from.records, ordinal, { ...record, ...change }) },
  ];
  // The gateway gave no usable answer when the merchant closed the attempt.
  const isUnwatched = world.tick === LAST_TICK || (state === 'cancelled' && world.key === 'other_account');
  const charged = (from: World, charge: Charge, name: string) =>
    become(from, name, { status: 'paid', charge, isUnwatched });
  return [
    charged(world, 'exact', 'made'),
    become(world, 'cancelled by the customer', { status: 'cancelled' }),
    ...(flow === 'card' ? [become(world, 'declined', { status: 'declined' })] : []),
    ...(now(world) > offerEndsAt ? [become(world, 'ended by the gateway', { status: 'expired' })] : []),
    ...fault(world, (left) => [
      charged(left, 'other_amount', 'made with another amount'),
      charged(left, 'other_currency', 'made in another currency'),
    ]),
  ];
}

/** Lookups of the worker: with a usual answer, with a wrong one, and one whose process applies its answer later. */
function lookups(before: World, ordinal: number): readonly Move[] {
  const world = expireLeases(before);
  const expired: readonly Move[] = world === before ? [] : [['the worker ends an expired lease', world]];
  const { slow } = before;
  const late: readonly Move[] =
    slow?.ordinal === ordinal
      ? [
          [
            `another process applies its older answer for attempt ${ordinal}`,
            applyAnswer({ ...before, slow: null }, ordinal, slow.answer, slow.asked).world,
          ],
        ]
      : [];
  if (!mayLookUp(attemptOf(world, ordinal), false)) return [...expired, ...late];
  const answer = answerOf(world, ordinal);
  const look = (from: World, name: string, answered: Answer): Move => [
    `the worker looks up attempt ${ordinal}: ${name}`,
    applyAnswer(from, ordinal, answered).world,
  ];
  const unclear =
    typeof answer === 'string' ? answer : ({ ...answer, status: 'unclear', gatewayStatus: 'new word' } as const);
  const slowest = { ordinal, asked: { state: attemptOf(world, ordinal).state, at: now(world) }, answer };
  return [
    ...expired,
    ...late,
    look(world, 'answered', answer),
    ...fault(world, (left) => [
      look(left, 'unreachable', 'unreachable'),
      look(left, 'not found', 'not_found'),
      look(left, 'the payment of another order', FOREIGN),
      look(left, 'an unknown word', unclear),
      ...(slow ? [] : [[`another process looks up attempt ${ordinal}`, { ...left, slow: slowest }] as const]),
    ]),
  ];
}

/** As `resolveOrders`: a webhook names a payment and claims that it is paid. It is a hint which attempt is looked up. */
function webhooks(world: World, ordinal: number): readonly Move[] {
  return world.records[ordinal - 1]
    ? [[`a webhook names the payment of attempt ${ordinal}`, webhook(world, ordinal)]]
    : [];
}

export function webhook(before: World, ordinal: number): World {
  const world = expireLeases(before);
  const answer = answerOf(world, ordinal);
  const linked =
    lacksGatewayId(attemptOf(world, ordinal)) && typeof answer !== 'string'
      ? apply(world, ordinal, { type: 'found' }, { patch: { gatewayId: idOf(ordinal), idSource: 'found' } })
      : world;
  if (!mayLookUp(attemptOf(linked, ordinal), true)) return linked;
  const named = typeof answer === 'string' ? FOREIGN : ({ ...answer, status: 'paid' } as const);
  return applyAnswer(linked, ordinal, linked.f.evidenceOf(answer, named)).world;
}

function returns(world: World): readonly Move[] {
  const attempts = world.attempts.map((attempt) =>
    attempt.flow === 'card' && attempt.state === 'open' ? { ...attempt, returnedAt: attempt.returnedAt ?? 1 } : attempt,
  );
  return world.attempts.length > 0 ? [['the customer returns', verify({ ...world, attempts }, true).world]] : [];
}

const withReturned = (world: World, ordinal: number): World => {
  const record = world.records[ordinal - 1] ?? null;
  return { ...world, records: withAt(world.records, ordinal, record && { ...record, isReturned: true }) };
};

const hasCharge = (world: World, ordinal: number): boolean => {
  const record = world.records[ordinal - 1];
  return record?.charge !== null && record?.isReturned === false;
};

/** Money goes back at the gateway, as a refund or a chargeback. A refund is stored by a step of its own. */
function refunds(world: World, ordinal: number): readonly Move[] {
  const { flow, state, confirmedAmount } = attemptOf(world, ordinal);
  if (flow === 'outside' && state === 'paid')
    return fault(world, (left) => [
      [`the merchant reverses the payment outside`, apply(left, ordinal, { type: 'refunded' })],
    ]);
  const isConfirmed = (state === 'paid' || state === 'review') && confirmedAmount !== null;
  if (hasCharge(world, ordinal))
    return fault(world, (left) => [
      [`the money of attempt ${ordinal} is refunded or charged back`, withReturned(left, ordinal)],
    ]);
  if (!isConfirmed || !world.records[ordinal - 1]?.isReturned) return [];
  return [[`the refund of attempt ${ordinal} is stored`, apply(world, ordinal, { type: 'refunded' })]];
}

const EVENTS = {
  refund: 'refund_decided',
  close: 'close_decided',
  stock_arrived: 'goods_arrived',
  apply_again: 'change_repeated',
} as const;

/** As `endReview` and `cancelOrder`. The merchant decides by what the gateway's dashboard shows. */
function decisions(world: World): readonly Move[] {
  const { order: state, reviewReason, attempts, hasLink } = world;
  const isRefundable = attempts.some(
    (each) =>
      (each.state === 'paid' || each.state === 'review') && each.confirmedAmount !== null && each.flow !== 'outside',
  );
  const isWaiting = attempts.some((each) => each.state === 'creating' || each.state === 'unknown');
  const mayCancelNow = mayCancel({ state, reviewReason, payableUntil: hasLink ? 1 : null }) && !isWaiting;
  const open = openDecisions({ state, reviewReason }, isRefundable);
  return [
    ...(mayCancelNow ? [decide(world, 'the merchant cancels the order', 'close_decided')] : []),
    ...open
      .filter((decision) => decision !== 'confirm')
      .map((decision) => decide(world, `the merchant decides: ${decision}`, EVENTS[decision])),
  ].flatMap((move) => (move ? [move] : []));
}

/** Returns `undefined` if the decision contradicts the dashboard, or the lookup before `close` changed the order. */
function decide(before: World, name: string, type: PaymentEvent['type'] & `${string}_${string}`): Move | undefined {
  const world = name.endsWith(': close') ? verify(before, true).world : before;
  if (world.order !== before.order || world.reviewReason !== before.reviewReason) return undefined;
  const isOversold = world.reviewReason === 'oversold';
  const decided = isOversold && type === 'refund_decided' ? 'refunded' : type;
  const ordinals = world.attempts.map(({ ordinal }) => ordinal);
  const event = { type: decided } as PaymentEvent;
  let after = world.attempts.length === 0 && type === 'close_decided' ? applyToUnstarted(world, type) : world;
  for (const ordinal of isOversold ? ordinals.filter((each) => each === world.paidOrdinal) : ordinals) {
    const { state, flow } = attemptOf(after, ordinal);
    after = apply(after, ordinal, event);
    const to = attemptOf(after, ordinal).state;
    if (to === 'refunded' && state !== to && flow !== 'outside' && !hasCharge(world, ordinal)) return undefined;
    if (to === 'cancelled' && state !== to && hasCharge(world, ordinal)) return undefined;
    if (to === 'refunded') after = withReturned(after, ordinal);
  }
  return [name, after];
}

/** A replaced key, a competing customer, new stock, a payment outside, and a newer order of the same cart. */
function otherPersons(world: World): readonly Move[] {
  const { stock, key, attempts, replacedBy, order } = world;
  const isFree = stock.onHand > 0 && !stock.isReserved;
  return fault(world, (left): readonly Move[] => [
    ...(key === 'first' ? [['a new key of the same account', { ...left, key: 'same_account' }] as const] : []),
    ...(key === 'first' ? [['a new key of another account', { ...left, key: 'other_account' }] as const] : []),
    ...(isFree
      ? [
          [
            'another customer buys the last piece',
            { ...left, stock: { ...stock, onHand: 0, sold: stock.sold + 1 } },
          ] as const,
        ]
      : []),
    ...(stock.onHand === 0 && stock.arrived === 0
      ? [['one piece arrives', { ...left, stock: { ...stock, onHand: 1, arrived: 1 } }] as const]
      : []),
    ...(attempts.length < world.maxAttempts
      ? [['the merchant records a payment outside of the gateway', recordOutside(left)] as const]
      : []),
    ['the merchant replaces the order by a corrected one', correctLines(left)],
    ...PAYMENT_FLOWS.flatMap((flow) =>
      BOTH.map((payAgain): Move => {
        const name = `a changed cart is submitted for ${flow}${payAgain ? ', and confirms to pay again' : ''}`;
        return [name, placeChanged(left, { flow, payAgain })];
      }),
    ),
    ...(replacedBy === 'unpaid' && order !== 'paid'
      ? [['the newer order is paid', { ...left, replacedBy: 'paid' }] as const]
      : []),
  ]);
}

/** As `recordOutsidePayment`. */
function recordOutside(before: World): World {
  if (before.replacedBy !== 'none' || objectionTo('outside', before)) return before;
  const { world, lookups } = verify(before, true);
  return objectionTo('outside', world, lookups) ? world : payOutside(world);
}

/** As `replaceUnpaidOrder`. */
function correctLines(before: World): World {
  if (before.replacedBy !== 'none' || objectionTo('replacement', before)) return before;
  const { world, lookups } = verify(before, true);
  return objectionTo('replacement', world, lookups) ? world : replaceBy('merchant', world);
}

type Placing = Pick<Submit, 'flow' | 'payAgain'>;

/** As `placeOrder` of the payments, for a changed cart whose earlier order is this one. */
function placeChanged(before: World, request: Placing): World {
  if (before.replacedBy !== 'none') return before;
  const first = decideBeside(before, request);
  const { world, lookups } = first === 'verify_earlier' ? verify(before, false) : { world: before, lookups: undefined };
  const decision = first === 'verify_earlier' ? decideBeside(world, request, lookups) : first;
  if (decision !== 'place' || [...(lookups?.values() ?? [])].some(hasNoAnswer)) return world;
  demandNoCharge(world, request);
  return replaceBy('checkout', world);
}

function decideBeside(world: World, { flow, payAgain }: Placing, lookups?: Verified['lookups']) {
  const { order: state, f } = world;
  const attempts = world.attempts.map(statedAttempt);
  const at = now(world);
  return f.decideEarlier({
    isSettled: state === 'paid' || isUncertain(state),
    mayReuse: false,
    replacement: f.decideReplacement({ state, attempts, lookups, payAgain, environment: 'test', at }),
    hasOpenPage: attempts.some((attempt) => isOffered(attempt, at)),
    flow,
    payAgain,
  });
}

/** The new order is paid next. A key of another account cannot look up the earlier one. */
function demandNoCharge(world: World, { flow, payAgain }: Placing): void {
  const { attempts, records, key } = world;
  const isCharged = ({ ordinal, state }: Attempt) =>
    hasCharge(world, ordinal) && (state === 'open' || state === 'superseded') && !records[ordinal - 1]?.isUnwatched;
  const at = now(world);
  demand(key !== 'first' || !attempts.some(isCharged), 'I5: no changed cart is paid beside a charge');
  const isAwaited = attempts.some((each) => each.flow === 'card' && each.live === 1);
  demand(payAgain || !isAwaited, 'I5: no changed cart is paid beside a card at the bank without a warning');
  const isOpen = attempts.some((attempt) => isOffered(attempt, at));
  demand(payAgain || flow !== 'card' || !isOpen, 'I5: no card is sent beside an open page without a warning');
}
