/** Lookups of the state search, as in verify-payment.ts and expire-lease.ts, with the real evaluation. */

import type { LookupResult } from '@tianguis/payments/rules';
import { CURRENCY, centavos } from '@tianguis/payments/rules';
import { type Attempt, hasGatewayId, hasNotEnded, isLeaseExpired } from '../../src/rules/attempt.js';
import { LOOKED_UP_STATES, UNPAID_ENDS } from '../../src/rules/order.js';
import { agrees, type GatewayPayment, type PaymentResult, phaseOf } from '../../src/rules/payment.js';
import type { PaymentEvent } from '../../src/rules/transition.js';
import { expectedOf } from '../../src/verify-payment.js';
import { AMOUNT, type Answer, type Asked, apply, attemptOf, idOf, now, type World, withAt } from './world.js';

export interface LookedUp {
  readonly world: World;
  readonly result: LookupResult;
}

/** A paid payment of another order, with the same amount. */
export const FOREIGN: GatewayPayment = {
  ...{
    status: 'paid',
    gatewayId: 'p9',
    amount: AMOUNT,
    currency: CURRENCY,
    reference: 'R-9',
    gatewayStatus: 'success',
  },
};

/** Returns what the gateway answers now for the payment of an attempt. */
export function answerOf(world: World, ordinal: number): Answer {
  const record = world.records[ordinal - 1];
  const { flow, reference, keyFingerprint } = attemptOf(world, ordinal);
  if (!record || (world.key === 'other_account' && keyFingerprint !== world.key)) return 'not_found';
  const status = record.isReturned ? 'cancelled' : record.status;
  return {
    status,
    gatewayId: idOf(ordinal),
    amount: record.charge === 'other_amount' ? centavos(AMOUNT - 1) : AMOUNT,
    currency: record.charge === 'other_currency' ? 'USD' : CURRENCY,
    reference,
    gatewayStatus: status === 'pending' && flow === 'hosted' ? 'pending/pending' : status,
  };
}

/** Returns whether a lookup of the attempt is allowed. */
export function mayLookUp(attempt: Attempt, includesEnded: boolean): boolean {
  const states = includesEnded ? [...LOOKED_UP_STATES, ...UNPAID_ENDS] : LOOKED_UP_STATES;
  return hasGatewayId(attempt) && states.includes(attempt.state);
}

/** Evaluates an answer and applies it. `asked`: the state of the attempt and the time when the lookup started. */
export function applyAnswer(
  world: World,
  ordinal: number,
  answer: Answer,
  asked: Asked = { state: attemptOf(world, ordinal).state, at: now(world) },
): LookedUp {
  const attempt = attemptOf(world, ordinal);
  if (!hasGatewayId(attempt)) return { world, result: 'recent' };
  const phase = hasNotEnded({ ...attempt, state: asked.state }) ? phaseOf(attempt.offerEndsAt, asked.at) : 'offered';
  if (typeof answer === 'string') return applyFailure(world, ordinal, { answer, phase });
  const expected = expectedOf(attempt);
  const result = world.f.evaluatePayment(answer, expected, phase);
  const isAgreed = agrees(answer, expected);
  const attempts =
    isAgreed && attempt.keyFingerprint !== world.key
      ? withAt(world.attempts, ordinal, { ...attempt, keyFingerprint: world.key })
      : world.attempts;
  const isElsewhere = (other: Attempt) => hasNotEnded(other) && other.keyFingerprint !== world.key;
  const isCleared = isAgreed && world.reviewReason === 'other_environment' && !attempts.some(isElsewhere);
  const columns = { patch: patchOf(attempt, answer, { result, isAgreed }), ...(isCleared && { reviewReason: null }) };
  const adopted = attempts === world.attempts ? world : { ...world, attempts };
  const after = apply(adopted, ordinal, eventOf(result), columns);
  return { world: after, result: isAgreed || result.kind === 'review' ? 'answered' : 'unreachable' };
}

function patchOf(
  attempt: Attempt,
  answer: GatewayPayment,
  { result, isAgreed }: { readonly result: PaymentResult; readonly isAgreed: boolean },
): Partial<Attempt> {
  if (attempt.state === 'paid' || attempt.state === 'refunded') return {};
  if (!isAgreed && result.kind === 'pending') return {};
  const isFound = answer.gatewayId === attempt.gatewayId;
  const isConfirmed = answer.status === 'paid' && isFound && answer.currency === CURRENCY;
  return {
    gatewayStatus: answer.gatewayStatus,
    foundAt: attempt.foundAt ?? (isFound ? 1 : null),
    notFoundAt: isFound ? null : attempt.notFoundAt,
    confirmedAmount: isConfirmed ? (answer.amount ?? null) : attempt.confirmedAmount,
  };
}

function applyFailure(
  world: World,
  ordinal: number,
  { answer, phase }: { readonly answer: 'not_found' | 'unreachable'; readonly phase: ReturnType<typeof phaseOf> },
): LookedUp {
  const attempt = attemptOf(world, ordinal);
  const { flow, foundAt, notFoundAt } = attempt;
  const at = now(world);
  const isNotFound = answer === 'not_found';
  const isOtherKey = attempt.keyFingerprint !== world.key;
  if (isNotFound && isOtherKey && phase !== 'over') {
    const isFlagged = hasNotEnded(attempt) && world.order !== 'paid' && world.reviewReason === null;
    return {
      world: isFlagged ? { ...world, reviewReason: 'other_environment' } : world,
      result: 'other_environment',
    };
  }
  if (flow === 'outside') throw new Error('a payment outside is never looked up');
  const failed = { flow, isNotFound, isOtherKey, wasFound: foundAt !== null, notFoundAt, now: at };
  const result = world.f.evaluateFailedLookup(failed, phase);
  const since = { ...attempt, notFoundAt: notFoundAt ?? at };
  const isMarked = !result && isNotFound && phase !== 'offered';
  const marked = isMarked ? { ...world, attempts: withAt(world.attempts, ordinal, since) } : world;
  return {
    world: result ? apply(world, ordinal, eventOf(result)) : marked,
    result: isNotFound && !isOtherKey ? 'not_found' : 'unreachable',
  };
}

function eventOf(result: PaymentResult): PaymentEvent {
  if (result.kind === 'offer_ended') return { type: 'offer_ended' };
  return { type: 'looked_up', result: result.kind === 'never_completed' ? { kind: 'expired' } : result };
}

/** Ends the attempts whose process did not store a response within its lease. */
export function expireLeases(world: World): World {
  const stale = world.attempts.find((attempt) => isLeaseExpired(attempt, now(world)));
  if (!stale) return world;
  const type = stale.flow === 'card' ? 'answer_lost' : 'start_failed';
  return apply(world, stale.ordinal, { type });
}

/** Looks up all attempts of the order that may still change, at a healthy gateway. */
export function verify(before: World, includesEnded: boolean) {
  let world = expireLeases(before);
  const lookups = new Map<string, LookupResult>();
  for (const { id, ordinal } of world.attempts) {
    if (!mayLookUp(attemptOf(world, ordinal), includesEnded)) continue;
    const looked = applyAnswer(world, ordinal, answerOf(world, ordinal));
    world = looked.world;
    lookups.set(id, looked.result);
  }
  return { world, lookups };
}
