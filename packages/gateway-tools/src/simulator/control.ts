/** Operations for tests, the drill and the start page. */
import { findPurchase, type Purchase } from './bank.js';
import { type Call, type Fault, rateLimitFault } from './faults.js';
import type { RefundStatus, Session } from './model.js';
import { findPayment, finishRefund } from './payments.js';
import { cancelSession, completeSession, expireSession, findSession, paySession } from './sessions.js';
import type { Settings } from './settings.js';
import type { SimulatorState } from './state.js';
import { isCardNumber, summarizeCard } from './test-cards.js';
import { createTokens } from './tokenizer.js';
import { sendAgain } from './webhooks.js';

export type Control = ReturnType<typeof createControl>;

export function createControl(state: SimulatorState) {
  return { ...faultControl(state), ...recordControl(state), ...recordedData(state) };
}

const untilCleared = Number.POSITIVE_INFINITY;

function faultControl(state: SimulatorState) {
  return {
    /** Replaces the next `times` responses, or all until `clearFaults`. Several faults apply in order. */
    fault: (call: Call, fault: Fault, times = untilCleared) => state.faults.plan(call, fault, times),
    /** Answers 429 with `Retry-After` and the documented body. */
    rateLimit: (call: Call, retryAfterSeconds: number, times = untilCleared) =>
      state.faults.plan(call, rateLimitFault(retryAfterSeconds), times),
    /** Sends the responses that `hold` faults delay. */
    release: () => state.faults.release(),
    clearFaults: () => state.faults.clear(),
    faults: () => state.faults.list(),
    setProfile: (profile: Settings['profile']): void => {
      state.settings = { ...state.settings, profile };
    },
    settings: (patch: Partial<Settings>): void => {
      state.settings = { ...state.settings, ...patch };
    },
    /** Moves the simulator's clock and ends overdue records. */
    advanceClock: (ms: number): void => {
      state.advanceClock(ms);
      endOverdue(state);
    },
    /** Restores settings and clock, and removes faults and recorded calls. The ledger stays. */
    reset: () => state.reset(),
  };
}

function recordControl(state: SimulatorState) {
  return {
    /** Marks a session as paid, also an ended one. */
    completeSession: (id: string) => completeSession(state, sessionOf(state, id)),
    /** Pays as a customer does on the hosted page. */
    paySession: (id: string, card = '4000000000000077') =>
      paySession(state, sessionOf(state, id), summarizeCard(cardNumber(card))),
    cancelSession: (id: string) => cancelSession(state, sessionOf(state, id)),
    expireSession: (id: string) => expireSession(state, sessionOf(state, id)),
    /** The bank's answer, by payment id or session id. */
    approve: (id: string) => purchaseOf(state, id).answer(true),
    refuse: (id: string) => purchaseOf(state, id).answer(false),
    /** Ends a refund that is pending. */
    finishRefund: (id: string, status: Exclude<RefundStatus, 'Pending'>): void => {
      finishRefund(state, found(state.refunds.get(id), `refund: ${id}`), status);
    },
    tokenizeCard: (number: string) => createTokens(state, cardNumber(number)),
    sendWebhookAgain: (id: string) => sendAgain(state, id),
  };
}

function recordedData(state: SimulatorState) {
  return {
    calls: (call?: Call) => state.calls.calls(call),
    sessions: () => {
      endOverdue(state);
      return state.sessions.all();
    },
    payments: () => {
      endOverdue(state);
      return state.payments.all();
    },
    refunds: () => state.refunds.all(),
    ledger: () => state.charges.all(),
    /** All money that was returned. */
    refundLedger: () => state.returned.all(),
    deliveries: () => [...state.deliveries.values()],
  };
}

/** Reading a record ends it if it is overdue. */
function endOverdue(state: SimulatorState): void {
  for (const { id } of state.sessions.all()) findSession(state, id);
  for (const { id } of state.payments.all()) findPayment(state, id);
}

/** Throws for a mistyped test card, which would succeed otherwise. */
function cardNumber(digits: string): string {
  if (!isCardNumber(digits)) throw new Error(`not a card number: ${digits}`);
  return digits;
}

function sessionOf(state: SimulatorState, id: string): Session {
  return found(findSession(state, id), `session: ${id}`);
}

function purchaseOf(state: SimulatorState, id: string): Purchase {
  const pending = state.sessions.get(id)?.attempts.findLast(({ status }) => status === 'Pending');
  const challenge = pending?.challenge ?? state.payments.get(id)?.challenge;
  return found(findPurchase(state, challenge?.id ?? ''), `challenge: ${id}`);
}

function found<T>(record: T | undefined, what: string): T {
  if (record === undefined) throw new Error(`no such ${what}`);
  return record;
}
