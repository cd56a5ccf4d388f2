/** The first table of docs/internals/faults.md: what each answer of a lookup does. From the pure functions of packages/payments/src/rules. */

import type { PaymentFlow } from '@tianguis/payments/rules';
import { centavos } from '@tianguis/payments/rules';
import {
  evaluateFailedLookup,
  evaluatePayment,
  type GatewayPayment,
  type PaymentResult,
  type PaymentStatus,
  type Phase,
} from '../../../packages/payments/src/rules/payment.js';
import { type Snapshot, transition } from '../../../packages/payments/src/rules/transition.js';
import { PENDING } from '../../../packages/payments/test/support/snapshot.js';
import { stateText } from './play.js';

const PHASES: readonly Phase[] = ['offered', 'watched', 'over'];
const TEN_MINUTES_MS = 10 * 60_000;
const expected = { gatewayId: 'p1', amount: centavos(28_900), reference: 'TG-1' } as const;

/** Returns the result of a lookup during a phase; `undefined` if nothing changes. */
type Evaluate = (flow: PaymentFlow, phase: Phase) => PaymentResult | undefined;

const payment = (change: Partial<GatewayPayment> & { readonly status: PaymentStatus }): Evaluate => {
  const answer = { ...expected, currency: 'MXN', gatewayStatus: '', ...change };
  return (flow, phase) =>
    evaluatePayment(answer, { ...expected, idSource: 'answer', awaitsBank: flow === 'card' }, phase);
};

const failed = (change: Partial<Parameters<typeof evaluateFailedLookup>[0]>): Evaluate => {
  const lookup = { isNotFound: true, isOtherKey: false, wasFound: true, notFoundAt: null, now: TEN_MINUTES_MS };
  return (flow, phase) => evaluateFailedLookup({ flow, ...lookup, ...change }, phase);
};

const ANSWERS: Readonly<Record<string, Evaluate>> = {
  'paid, and id, amount, currency and reference agree': payment({ status: 'paid' }),
  'paid, other amount': payment({ status: 'paid', amount: centavos(28_899) }),
  'paid, no readable amount': payment({ status: 'paid', amount: undefined }),
  'paid, other currency': payment({ status: 'paid', currency: 'USD' }),
  'paid, other reference': payment({ status: 'paid', reference: 'TG-2' }),
  'paid, no reference where the interface promises one (sessions), or an unreadable one': payment({
    status: 'paid',
    reference: null,
  }),
  'paid, no reference, as the interface allows (card payments)': payment({ status: 'paid', reference: undefined }),
  'paid, other id': payment({ status: 'paid', gatewayId: 'p2' }),
  'plain pending: the gateway waits for the customer': payment({ status: 'pending' }),
  'another pending status, or an unknown word beside a known one': payment({ status: 'processing' }),
  'unknown or contradictory status': payment({ status: 'unclear' }),
  declined: payment({ status: 'declined' }),
  expired: payment({ status: 'expired' }),
  cancelled: payment({ status: 'cancelled' }),
  'any unpaid status, other amount': payment({ status: 'cancelled', amount: centavos(1) }),
  '404 for the first time, read before': failed({}),
  '404 again after 10 minutes, read before': failed({ notFoundAt: 0 }),
  '404, never read': failed({ wasFound: false }),
  '404 with another key': failed({ isOtherKey: true, notFoundAt: 0 }),
  'no usable answer: connection cut, timeout, 5xx, 401, 403, 429, unreadable': failed({ isNotFound: false }),
};

const ofPaidOrder: Snapshot = { ...PENDING, order: 'paid', attempt: 'superseded', isAlreadyPaid: true };
const ofPayment: Snapshot = { ...PENDING, order: 'paid', attempt: 'paid', isAlreadyPaid: true, paysTheOrder: true };

function cell(before: Snapshot, result: PaymentResult | undefined): string {
  if (!result) return '–';
  const after = transition(
    before,
    result.kind === 'offer_ended'
      ? { type: result.kind }
      : { type: 'looked_up', result: result.kind === 'never_completed' ? { kind: 'expired' } : result },
  );
  const isSame = after.order === before.order && after.attempt === before.attempt && !after.reviewReason;
  return isSame ? '–' : stateText(after.order, [after.attempt], after.reviewReason ?? null);
}

/** Returns the rows: the answer, the flow, and the states after it in each phase and beside a paid order. */
export function answerRows(): readonly (readonly string[])[] {
  return Object.entries(ANSWERS).flatMap(([name, evaluate]) => {
    const rowOf = (flow: PaymentFlow) => [
      ...PHASES.map((phase) => cell(PENDING, evaluate(flow, phase))),
      cell(ofPaidOrder, evaluate(flow, 'watched')),
      // A payment that was received has no offer that could end.
      cell(ofPayment, evaluate(flow, 'offered')),
    ];
    const [hosted, card] = [rowOf('hosted'), rowOf('card')];
    if (hosted.join() === card.join()) return [[name, 'both', ...hosted]];
    return [
      [name, 'hosted', ...hosted],
      [name, 'card', ...card],
    ];
  });
}
