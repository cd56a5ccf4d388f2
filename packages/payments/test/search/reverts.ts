/** Known bugs, each with the rule that it breaks. The search must find every one of them. */

import { CURRENCY, isOffered } from '@tianguis/payments/rules';
import type { PaymentResult } from '../../src/rules/payment.js';
import type { Bound } from './search.js';
import { type Functions, REAL } from './world.js';

export interface Revert extends Bound {
  readonly name: string;
  readonly rule: string;
  readonly bug: Partial<Functions>;
}

const EXPIRED: PaymentResult = { kind: 'expired' };

export const REVERTS: readonly Revert[] = [
  {
    name: 'compare no amount',
    rule: 'I1: a paid order has a charge of its amount and currency',
    faults: 1,
    maxDepth: 5,
    maxAttempts: 1,
    bug: {
      evaluatePayment: (payment, expected, phase) =>
        REAL.evaluatePayment({ ...payment, amount: expected.amount }, expected, phase),
    },
  },
  {
    name: 'accept another currency',
    rule: 'I1: a paid order has a charge of its amount and currency',
    faults: 1,
    maxDepth: 5,
    maxAttempts: 1,
    bug: {
      evaluatePayment: (payment, expected, phase) =>
        REAL.evaluatePayment({ ...payment, currency: CURRENCY }, expected, phase),
    },
  },
  {
    name: 'accept the payment of another order',
    rule: 'I1: a paid order has a charge of its amount and currency',
    faults: 1,
    maxDepth: 4,
    maxAttempts: 1,
    bug: {
      evaluatePayment: (payment, expected, phase) => {
        const { gatewayId, reference } = expected;
        return REAL.evaluatePayment({ ...payment, gatewayId, reference }, expected, phase);
      },
    },
  },
  {
    name: 'verify by the status of a webhook',
    rule: 'I1: a paid order has a charge of its amount and currency',
    faults: 0,
    maxDepth: 4,
    maxAttempts: 1,
    bug: { evidenceOf: (_lookup, named) => named },
  },
  {
    name: 'fulfill an order at each paid answer',
    rule: 'I2: each paid order and no other has one fulfillment',
    faults: 0,
    maxDepth: 7,
    bug: {
      isFulfilled: (_before, _after, event) => event.type === 'looked_up' && event.result.kind === 'paid',
    },
  },
  {
    name: 'take the stock at each paid answer',
    rule: 'I2: the stock is taken once',
    faults: 0,
    maxDepth: 7,
    bug: {
      transition: (before, event) => {
        const isPaid = event.type === 'looked_up' && event.result.kind === 'paid';
        return { ...REAL.transition(before, event), ...(isPaid && { takesGoods: true }) };
      },
    },
  },
  {
    name: 'release the stock of a paid order when another attempt of it ends',
    rule: 'I2: a paid order takes its stock',
    faults: 0,
    maxDepth: 7,
    bug: { stockAfterEnd: (stock) => ({ ...stock, onHand: stock.onHand + 1, taken: stock.taken - 1 }) },
  },
  {
    name: 'expire an attempt by our own clock',
    rule: 'I3: each charge is paid, refunded or in review',
    faults: 0,
    maxDepth: 7,
    maxAttempts: 1,
    bug: {
      evaluatePayment: (payment, expected, phase) => {
        const result = REAL.evaluatePayment(payment, expected, phase);
        return result.kind === 'offer_ended' ? EXPIRED : result;
      },
    },
  },
  {
    name: 'expire an attempt without an answer',
    rule: 'I3: each charge is paid, refunded or in review',
    faults: 1,
    maxDepth: 7,
    maxAttempts: 1,
    bug: { evaluateFailedLookup: (_lookup, phase) => (phase === 'offered' ? undefined : EXPIRED) },
  },
  {
    name: 'end an attempt by the decision close while its page is open',
    rule: 'I3: each charge is paid, refunded or in review',
    faults: 1,
    maxDepth: 6,
    maxAttempts: 1,
    bug: {
      transition: (before, event) => {
        const after = REAL.transition(before, event);
        const isClosed = event.type === 'close_decided' && before.attempt === 'review';
        return isClosed ? { ...after, attempt: 'cancelled' } : after;
      },
    },
  },
  {
    name: 'undo a paid order by the end of another attempt',
    rule: 'I4: a paid order stays paid',
    faults: 0,
    maxDepth: 7,
    bug: {
      transition: (before, event) => {
        const after = REAL.transition(before, event);
        const isEnd = event.type === 'looked_up' && event.result.kind === 'cancelled';
        return isEnd && before.order === 'paid' ? { ...after, order: 'cancelled' } : after;
      },
    },
  },
  {
    name: 'charge again while the outcome of a charge is unknown',
    rule: 'I5: no attempt starts while the outcome of an earlier one is unknown',
    faults: 1,
    maxDepth: 2,
    bug: {
      decideStart: (input) =>
        REAL.decideStart(input.state === 'outcome_unknown' ? { ...input, state: 'pending' } : input),
    },
  },
  {
    name: 'start beside an open page without a warning',
    rule: 'I5: no second charge without a confirmed warning',
    faults: 0,
    maxDepth: 6,
    bug: { decideStart: (input) => REAL.decideStart({ ...input, payAgain: true }) },
  },
  {
    name: 'record a payment outside beside one that may arrive',
    rule: 'I5: no payment outside beside an attempt that may still be charged',
    faults: 1,
    maxDepth: 4,
    bug: {
      findOutsideObjection: () => undefined,
    },
  },
  {
    name: 'replace an order whose card may still be charged',
    rule: 'I5: no merchant replaces an order whose card may still be charged',
    faults: 1,
    maxDepth: 4,
    bug: {
      findReplacementObjection: () => undefined,
    },
  },
  {
    name: 'place a changed cart without a lookup of its order',
    rule: 'I5: no changed cart is paid beside a charge',
    faults: 1,
    maxDepth: 5,
    bug: {
      decideReplacement: (input) => REAL.decideReplacement({ ...input, lookups: input.lookups ?? new Map() }),
    },
  },
  {
    name: 'place a changed cart beside a card at the bank',
    rule: 'I5: no changed cart is paid beside a card at the bank without a warning',
    faults: 1,
    maxDepth: 4,
    bug: {
      decideEarlier: (input) =>
        REAL.decideEarlier(input.replacement === 'keep' ? { ...input, replacement: 'replace' } : input),
    },
  },
  {
    name: 'place a changed cart for a card beside an open page',
    rule: 'I5: no card is sent beside an open page without a warning',
    faults: 1,
    maxDepth: 4,
    bug: {
      decideEarlier: (input) => REAL.decideEarlier({ ...input, hasOpenPage: false }),
    },
  },
  {
    name: 'continue on the oldest of two open pages',
    rule: 'I5: no second charge without a confirmed warning',
    faults: 0,
    maxDepth: 10,
    bug: {
      decideStart: (input) => {
        const decision = REAL.decideStart(input);
        const oldest = input.attempts.find((attempt) => isOffered(attempt, input.at));
        return decision.kind === 'redirect' && oldest?.redirectUrl
          ? { ...decision, url: oldest.redirectUrl }
          : decision;
      },
    },
  },
  {
    name: 'watch a pending payment without end',
    rule: 'never stuck: an order ends or is on the merchant’s list',
    faults: 0,
    maxDepth: 3,
    bug: {
      evaluatePayment: (payment, expected, phase) => {
        const result = REAL.evaluatePayment(payment, expected, phase);
        return result.kind === 'never_completed' ? { kind: 'offer_ended' } : result;
      },
    },
  },
];

/** The bugs that a sequence of so few events shows are brought back in each test run, the others by `npm run test:all`. */
export const NEAR_EVENTS = 7;
