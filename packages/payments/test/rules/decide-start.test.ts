/** The decision how an order is paid, over the product of its inputs. */
import { expect, test } from '@jest/globals';
import { withStatus } from '@tianguis/payments/back-office';
import type { Attempt, LookupResult } from '@tianguis/payments/rules';
import { ORDER_STATES, PAYMENT_FLOWS } from '@tianguis/payments/rules';
import { attemptRow } from '@tianguis/payments/testing';
import type { StatedAttempt } from '../../src/rules/attempt.js';
import { decideStart, type StartDecision, type StartInput } from '../../src/rules/decide-start.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = 100 * 60 * MINUTE;
const PAGE = 'https://pay.example/checkout/cs_1';
const RESULTS = ['answered', 'recent', 'over_budget', 'not_found', 'unreachable', 'other_environment'] as const;

/** An attempt that was created two hours ago and is offered for another hour, with changes. */
function attempt(change: Partial<Attempt>): StatedAttempt {
  const times = { createdAt: NOW - 120 * MINUTE, offerEndsAt: NOW + 60 * MINUTE, leasedUntil: NOW - 1 };
  const open = { state: 'open', gatewayId: 'cs_1', redirectUrl: PAGE, gatewayStatus: 'pending/Pending' } as const;
  const row = attemptRow('order', { ...times, ...open, ...change });
  const isLive = ['creating', 'open', 'unknown'].includes(row.state);
  return withStatus({ ...row, live: isLive ? 1 : null } as Attempt);
}

const HOSTED = { flow: 'hosted' } as const;
const CARD = { flow: 'card', gatewayStatus: 'Pending', returnedAt: NOW - 60 * MINUTE } as const;
const SUPERSEDED = { state: 'superseded', live: null } as const;
const ended = (minutes: number) => ({ offerEndsAt: NOW - minutes * MINUTE });

const ATTEMPTS: Readonly<Record<string, Partial<Attempt>>> = {
  'an offered page': HOSTED,
  'a page of 2 s ago': { ...HOSTED, createdAt: NOW - 2_000 },
  'a page that ended 10 min ago': { ...HOSTED, ...SUPERSEDED, ...ended(10) },
  'a page that ended 31 min ago': { ...HOSTED, ...SUPERSEDED, ...ended(31) },
  'an ended page with a declined card': { ...HOSTED, ...SUPERSEDED, ...ended(1), gatewayStatus: 'pending/Declined' },
  'an ended page with an unknown word': { ...HOSTED, ...SUPERSEDED, ...ended(31), gatewayStatus: 'pending/Verifying' },
  'a session that no customer saw': { ...HOSTED, ...SUPERSEDED, redirectUrl: null },
  'a card payment at the bank': CARD,
  'an abandoned card payment': { ...CARD, returnedAt: null },
  'a card payment that is processed': { ...CARD, gatewayStatus: 'processing' },
  'an attempt of other addresses': { ...HOSTED, environment: 'other' },
  'an attempt that another caller starts': { ...HOSTED, state: 'creating', gatewayId: null, leasedUntil: NOW + 1 },
  'an attempt whose caller died': { ...HOSTED, state: 'creating', gatewayId: null },
  'a declined attempt': { ...CARD, state: 'declined' },
};

const input = (change: Partial<StartInput>): StartInput => ({
  state: 'pending',
  payableUntil: NOW + 2 * HOUR,
  isBlocked: false,
  attempts: [],
  flow: 'hosted',
  payAgain: false,
  lookups: undefined,
  environment: 'test',
  at: NOW,
  ...change,
});

/** Decides for an order with one attempt, whose lookup had this result; `undefined`: there was no lookup. */
function decide(name: string, result: LookupResult | undefined, change: Partial<StartInput> = {}): StartDecision {
  const own = attempt(ATTEMPTS[name] ?? {});
  const lookups = result && new Map([[own.id, result]]);
  return decideStart(input({ attempts: [own], lookups, ...change }));
}

test.each<[string, LookupResult | undefined, readonly [string, string], readonly [string, string]]>([
  // The pairs are the decisions without and with the confirmed warning: for the hosted flow, then for the card flow.
  ['an offered page', undefined, ['verify_first', 'verify_first'], ['verify_first', 'verify_first']],
  ['an offered page', 'answered', ['redirect', 'redirect'], ['confirm_pay_again', 'lease']],
  ['an offered page', 'unreachable', ['redirect', 'redirect'], ['unavailable', 'unavailable']],
  ['an offered page', 'not_found', ['show_order', 'show_order'], ['show_order', 'show_order']],
  ['a page of 2 s ago', undefined, ['redirect', 'redirect'], ['verify_first', 'verify_first']],
  ['a page that ended 10 min ago', 'answered', ['show_order', 'show_order'], ['show_order', 'show_order']],
  ['a page that ended 31 min ago', 'answered', ['confirm_pay_again', 'lease'], ['confirm_pay_again', 'lease']],
  ['a page that ended 31 min ago', 'over_budget', ['unavailable', 'unavailable'], ['unavailable', 'unavailable']],
  ['an ended page with a declined card', 'answered', ['confirm_pay_again', 'lease'], ['confirm_pay_again', 'lease']],
  ['an ended page with an unknown word', 'answered', ['show_order', 'show_order'], ['show_order', 'show_order']],
  ['a session that no customer saw', undefined, ['lease', 'lease'], ['lease', 'lease']],
  ['a card payment at the bank', 'answered', ['show_order', 'show_order'], ['show_order', 'show_order']],
  ['a card payment at the bank', 'unreachable', ['show_order', 'show_order'], ['show_order', 'show_order']],
  ['an abandoned card payment', 'answered', ['show_order', 'lease'], ['show_order', 'lease']],
  ['a card payment that is processed', 'answered', ['show_order', 'show_order'], ['show_order', 'show_order']],
  ['an attempt of other addresses', undefined, ['lease', 'lease'], ['lease', 'lease']],
  ['an offered page', 'other_environment', ['lease', 'lease'], ['lease', 'lease']],
  ['an attempt that another caller starts', undefined, ['busy', 'busy'], ['busy', 'busy']],
  ['an attempt whose caller died', undefined, ['verify_first', 'verify_first'], ['verify_first', 'verify_first']],
  ['a declined attempt', undefined, ['lease', 'lease'], ['lease', 'lease']],
])('beside %s whose lookup is %j the hosted flow decides %j and the card flow %j', (name, result, hosted, card) => {
  const decisions = (flow: 'hosted' | 'card') =>
    [false, true].map((payAgain) => decide(name, result, { flow, payAgain }).kind);

  expect([decisions('hosted'), decisions('card')]).toEqual([hosted, card]);
});

/** The product of two attempts, their results, both flows, the warning and all order states. */
const CASES = Object.values(ATTEMPTS).flatMap((one) =>
  Object.values(ATTEMPTS).flatMap((two) =>
    [undefined, ...RESULTS].flatMap((result) =>
      PAYMENT_FLOWS.flatMap((flow) =>
        [false, true].flatMap((payAgain) =>
          ORDER_STATES.map((state) => {
            const attempts = [attempt(one), attempt({ ...two, ...SUPERSEDED })];
            const lookups = result && new Map(attempts.map(({ id }) => [id, result]));
            const each = input({ state, attempts, flow, payAgain, lookups });
            return { ...each, result, decision: decideStart(each).kind };
          }),
        ),
      ),
    ),
  ),
);
const leases = CASES.filter(({ decision }) => decision === 'lease');
const mayBePaid = ({ state, flow, redirectUrl, environment }: Attempt) =>
  (state === 'open' || state === 'superseded') && environment === 'test' && (flow === 'card' || redirectUrl !== null);

test('an attempt starts only for an order that is neither paid nor in review nor of unknown outcome', () => {
  const states = new Set(leases.map(({ state }) => state));

  expect(states).toEqual(new Set(['created', 'pending', 'declined', 'expired', 'cancelled']));
});

test.each<[string, Partial<StartInput>]>([
  ['whose link ended', { payableUntil: null }],
  ['at the end of its time', { payableUntil: NOW }],
  ['that replaced a paid order', { isBlocked: true }],
])('an order %s is shown, and no attempt starts', (_, change) => {
  const decisions = CASES.map((each) => decideStart({ ...each, ...change }).kind);

  expect(new Set(decisions)).toEqual(new Set(['show_order']));
});

test('persons who do not own an order try three cards in 10 minutes and ten in its life, and its customer is not limited', () => {
  const cards = (count: number, minutes: number) =>
    Array.from({ length: count }, () => attempt({ ...CARD, state: 'declined', createdAt: NOW - minutes * MINUTE }));
  const decide = (change: Partial<StartInput>) =>
    decideStart(input({ flow: 'card', isFromLink: true, isByOther: true, ...change }));

  expect([
    decide({ attempts: cards(2, 9) }),
    decide({ attempts: cards(3, 9) }),
    decide({ attempts: cards(3, 10) }),
    decide({ attempts: cards(10, 60), payableUntil: NOW + HOUR }),
    decide({ attempts: cards(10, 60), flow: 'hosted' }),
    decide({ attempts: cards(10, 1), isByOther: false }),
  ]).toEqual([
    { kind: 'lease' },
    { kind: 'limited', until: NOW + MINUTE },
    { kind: 'lease' },
    { kind: 'limited', until: NOW + HOUR },
    { kind: 'lease' },
    { kind: 'lease' },
  ]);
});

test('an attempt starts beside one that may still be paid only after an answer in this request and a confirmed warning', () => {
  const wrong = leases.filter(
    ({ attempts, result, payAgain }) =>
      attempts.some(mayBePaid) && result !== 'other_environment' && !(result === 'answered' && payAgain),
  );

  expect(leases.length).toBeGreaterThan(0);
  expect(wrong).toEqual([]);
});

test('an attempt never starts beside one whose payment may be on its way', () => {
  const isOnItsWay = ({ gatewayStatus }: Attempt) =>
    gatewayStatus === 'processing' || gatewayStatus === 'pending/Verifying';
  const wrong = leases.filter(
    ({ attempts, result }) =>
      result !== 'other_environment' && attempts.some((each) => mayBePaid(each) && isOnItsWay(each)),
  );

  expect(wrong).toEqual([]);
});

test('of two open pages the customer continues on the newer one', () => {
  const pages = ['first', 'second'].map((name) => `${PAGE}/${name}`);
  const [first, second] = pages.map((redirectUrl) => ({ ...HOSTED, redirectUrl }));
  const attempts = [attempt({ ...first, ...SUPERSEDED }), attempt({ ...second })];
  const lookups = new Map(attempts.map(({ id }) => [id, 'answered' as const]));

  expect(decideStart(input({ attempts, lookups }))).toEqual({ kind: 'redirect', url: pages[1] });
});

test('three attempts that may still be paid block a fourth', () => {
  const three = [1, 2, 3].map(() => attempt({ ...HOSTED, ...SUPERSEDED, ...ended(31) }));
  const decisions = [2, 3].map((count) => {
    const attempts = three.slice(0, count);
    const lookups = new Map(attempts.map(({ id }) => [id, 'answered' as const]));
    return decideStart(input({ attempts, lookups, payAgain: true })).kind;
  });

  expect(decisions).toEqual(['lease', 'show_order']);
});
