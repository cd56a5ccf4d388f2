/** The simulator's strings, for tests, drills and a person at its start page. */
import { answerChallenge } from './bank.js';
import type { RecordedCall } from './exchanges.js';
import type { Call, Fault, PlannedFault } from './faults.js';
import { paySession, type SessionOutcome } from './hosted-payment.js';
import type { LedgerEntry } from './ledger.js';
import type { CardFields, Payment, Profile, Session } from './model.js';
import { findPayment, forcePayment } from './payments.js';
import { cancelSession, expireSession, findSession, forceSession } from './sessions.js';
import { faceOf, isCardNumber } from './test-cards.js';
import { keepTokens } from './vault.js';
import type { Delivery, WebhookMode } from './webhooks.js';
import type { World } from './world.js';

interface SettingsPatch {
  readonly declineHttpStatus?: 200 | 402 | undefined;
  readonly signingSecret?: string | null | undefined;
  readonly webhooks?: WebhookMode | undefined;
  readonly webhookUrl?: string | undefined;
}

export interface Control {
  /** Spoils the next `times` calls, or all until `clearFaults`; several wait in order. */
  fault(call: Call, fault: Fault, times?: number): void;
  /** Lets the answers go that a `hold` keeps back. */
  release(): void;
  clearFaults(): void;
  faults(): readonly PlannedFault[];
  /** Answers 429 with `Retry-After` and the service's body for it. */
  rateLimit(call: Call, retryAfterSeconds: number, times?: number): void;
  setProfile(profile: Profile): void;
  settings(patch: SettingsPatch): void;
  /** Moves the simulator's own clock; what is due then expires. */
  advanceClock(ms: number): void;
  /** Any state, spoken as given; `completed` with `Success` is a charge in the ledger too. */
  forceSession(id: string, status: string, transactionStatus: string): void;
  /** Any status, spoken as given; a word that means paid is a charge in the ledger too. */
  forcePayment(id: string, status: string): void;
  /** As if the shopper had paid on the hosted page. */
  paySession(id: string, card?: string): SessionOutcome;
  cancelSession(id: string): void;
  expireSession(id: string): void;
  /** The bank's answer, by payment id, session id or challenge id. */
  approve(id: string): void;
  refuse(id: string): void;
  tokenizeCard(number: string): CardFields;
  calls(call?: Call): readonly RecordedCall[];
  sessions(): readonly Session[];
  payments(): readonly Payment[];
  ledger(): readonly LedgerEntry[];
  deliveries(): readonly Delivery[];
  sendWebhookAgain(deliveryId: string): Promise<Delivery>;
  /** Faults, settings, calls and clock as at the start; the ledger stays. */
  reset(): void;
}

export function createControl(world: World): Control {
  return { ...troubles(world), ...stateChanges(world), ...readings(world) };
}

function troubles(world: World) {
  return {
    fault: (call: Call, fault: Fault, times = Number.POSITIVE_INFINITY) =>
      world.faults.plan(call, fault, times),
    release: () => world.faults.release(),
    clearFaults: () => world.faults.clear(),
    faults: () => world.faults.list(),
    rateLimit: (call: Call, retryAfterSeconds: number, times = Number.POSITIVE_INFINITY) =>
      world.faults.plan(call, rateLimited(retryAfterSeconds), times),
    setProfile: (profile: Profile) => {
      world.settings = { ...world.settings, profile };
    },
    settings: (patch: SettingsPatch) => changeSettings(world, patch),
    advanceClock: (ms: number) => {
      world.advanceClock(ms);
      lookAtAll(world);
    },
    reset: () => world.reset(),
  };
}

function stateChanges(world: World) {
  return {
    forceSession: (id: string, status: string, transactionStatus: string) => {
      forceSession(world, sessionOf(world, id), { status, transactionStatus });
    },
    forcePayment: (id: string, status: string) => {
      forcePayment(world, paymentOf(world, id), status);
    },
    paySession: (id: string, card = '4000000000000077') => {
      const outcome = paySession(world, id, faceOf(cardNumber(card)));
      if (outcome === undefined) throw new Error(`no such session: ${id}`);
      return outcome;
    },
    cancelSession: (id: string) => {
      cancelSession(world, sessionOf(world, id));
    },
    expireSession: (id: string) => {
      expireSession(world, sessionOf(world, id));
    },
    approve: (id: string) => {
      answerChallenge(world, openChallengeOf(world, id), true);
    },
    refuse: (id: string) => {
      answerChallenge(world, openChallengeOf(world, id), false);
    },
    tokenizeCard: (number: string) => keepTokens(world, cardNumber(number)),
    sendWebhookAgain: (id: string) => world.webhooks.sendAgain(id),
  };
}

function readings(world: World) {
  return {
    calls: (call?: Call) => world.exchanges.calls(call),
    sessions: () => {
      lookAtAll(world);
      return world.sessions.all();
    },
    payments: () => {
      lookAtAll(world);
      return world.payments.all();
    },
    ledger: () => world.ledger.entries(),
    deliveries: () => world.webhooks.deliveries(),
  };
}

function changeSettings(world: World, patch: SettingsPatch): void {
  const { declineHttpStatus, signingSecret } = patch;
  world.settings = {
    ...world.settings,
    ...(declineHttpStatus === undefined ? {} : { declineHttpStatus }),
    ...(signingSecret === undefined ? {} : { signingSecret }),
  };
  if (patch.webhooks !== undefined) world.webhooks.mode = patch.webhooks;
  if (patch.webhookUrl !== undefined) world.webhooks.url = patch.webhookUrl;
}

/** Looking makes everything expire that is overdue. */
function lookAtAll(world: World): void {
  for (const { id } of world.sessions.all()) findSession(world, id);
  for (const { id } of world.payments.all()) findPayment(world, id);
}

function rateLimited(seconds: number): Fault {
  const error = { code: 'rate_limit_exceeded', message: 'Too many requests.', retry_after: seconds };
  return { kind: 'status', status: 429, headers: { 'Retry-After': String(seconds) }, body: { error } };
}

/** A mistyped test card would otherwise quietly succeed. */
function cardNumber(digits: string): string {
  if (!isCardNumber(digits)) throw new Error(`not a card number: ${digits}`);
  return digits;
}

function sessionOf(world: World, id: string): Session {
  const session = findSession(world, id);
  if (session === undefined) throw new Error(`no such session: ${id}`);
  return session;
}

function paymentOf(world: World, id: string): Payment {
  const payment = findPayment(world, id);
  if (payment === undefined) throw new Error(`no such payment: ${id}`);
  return payment;
}

function openChallengeOf(world: World, id: string): string {
  const waiting = world.sessions.get(id)?.attempts.findLast(({ status }) => status === 'Pending');
  const challengeId = waiting?.challengeId ?? world.payments.get(id)?.challengeId ?? id;
  if (world.challenges.get(challengeId) === undefined) throw new Error(`nothing awaits the bank: ${id}`);
  return challengeId;
}
