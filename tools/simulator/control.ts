/** Operations for tests, the drill and the start page. */
import { answerChallenge } from './bank.js';
import type { Call, Fault } from './faults.js';
import { paySession } from './hosted-payment.js';
import type { Payment, Profile, Session } from './model.js';
import { findPayment, forcePayment } from './payments.js';
import { cancelSession, expireSession, findSession, forceSession } from './sessions.js';
import { faceOf, isCardNumber } from './test-cards.js';
import { keepTokens } from './tokenizer.js';
import type { WebhookMode } from './webhooks.js';
import type { SigningText, World } from './world.js';

interface SettingsPatch {
  readonly declineHttpStatus?: 200 | 402 | undefined;
  readonly signingSecret?: string | null | undefined;
  readonly signingText?: SigningText | undefined;
  readonly webhooks?: WebhookMode | undefined;
  readonly webhookUrl?: string | undefined;
}

export type Control = ReturnType<typeof createControl>;

export function createControl(world: World) {
  return { ...faultControl(world), ...stateControl(world), ...records(world) };
}

function faultControl(world: World) {
  const forever = Number.POSITIVE_INFINITY;
  return {
    /** Replaces the next `times` responses, or all until `clearFaults`. Several faults apply in order. */
    fault: (call: Call, fault: Fault, times = forever): void => world.faults.plan(call, fault, times),
    /** Sends the responses that `hold` faults keep back. */
    release: (): void => world.faults.release(),
    clearFaults: (): void => world.faults.clear(),
    faults: () => world.faults.list(),
    /** Answers 429 with `Retry-After` and the documented body. */
    rateLimit: (call: Call, retryAfterSeconds: number, times = forever): void =>
      world.faults.plan(call, rateLimited(retryAfterSeconds), times),
    setProfile: (profile: Profile): void => {
      world.settings = { ...world.settings, profile };
    },
    settings: (patch: SettingsPatch): void => changeSettings(world, patch),
    /** Moves the simulator's clock and expires what is overdue. */
    advanceClock: (ms: number): void => {
      world.advanceClock(ms);
      expireOverdue(world);
    },
    /** Restores faults, settings, calls and clock; the ledger stays. */
    reset: (): void => world.reset(),
  };
}

function stateControl(world: World) {
  return {
    /** Sets any state, sent as given; `completed` with `Success` is also a charge in the ledger. */
    forceSession: (id: string, status: string, transactionStatus: string): void => {
      forceSession(world, sessionOf(world, id), { status, transactionStatus });
    },
    /** Sets any status, sent as given; a status that means paid is also a charge in the ledger. */
    forcePayment: (id: string, status: string): void => {
      forcePayment(world, paymentOf(world, id), status);
    },
    /** Pays as a customer does on the hosted page. */
    paySession: (id: string, card = '4000000000000077') => {
      const outcome = paySession(world, id, faceOf(cardNumber(card)));
      if (outcome === undefined) throw new Error(`no such session: ${id}`);
      return outcome;
    },
    cancelSession: (id: string): void => {
      cancelSession(world, sessionOf(world, id));
    },
    expireSession: (id: string): void => {
      expireSession(world, sessionOf(world, id));
    },
    /** The bank's answer, by payment id, session id or challenge id. */
    approve: (id: string): void => {
      answerChallenge(world, challengeOf(world, id), true);
    },
    refuse: (id: string): void => {
      answerChallenge(world, challengeOf(world, id), false);
    },
    tokenizeCard: (number: string) => keepTokens(world, cardNumber(number)),
    sendWebhookAgain: (id: string) => world.webhooks.sendAgain(id),
  };
}

function records(world: World) {
  return {
    calls: (call?: Call) => world.exchanges.calls(call),
    sessions: () => {
      expireOverdue(world);
      return world.sessions.all();
    },
    payments: () => {
      expireOverdue(world);
      return world.payments.all();
    },
    ledger: () => world.ledger.entries(),
    deliveries: () => world.webhooks.deliveries(),
  };
}

function changeSettings(world: World, patch: SettingsPatch): void {
  const { declineHttpStatus, signingSecret, signingText } = { ...world.settings, ...defined(patch) };
  world.settings = { ...world.settings, declineHttpStatus, signingSecret, signingText };
  if (patch.webhooks !== undefined) world.webhooks.mode = patch.webhooks;
  if (patch.webhookUrl !== undefined) world.webhooks.url = patch.webhookUrl;
}

function defined<T extends object>(patch: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(patch).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** Reading a record expires it if it is overdue. */
function expireOverdue(world: World): void {
  for (const { id } of world.sessions.all()) findSession(world, id);
  for (const { id } of world.payments.all()) findPayment(world, id);
}

function rateLimited(seconds: number): Fault {
  const error = { code: 'rate_limit_exceeded', message: 'Too many requests.', retry_after: seconds };
  return { kind: 'status', status: 429, headers: { 'Retry-After': String(seconds) }, body: { error } };
}

/** Throws for a mistyped test card, which would succeed otherwise. */
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

function challengeOf(world: World, id: string): string {
  const waiting = world.sessions.get(id)?.attempts.findLast(({ status }) => status === 'Pending');
  const challengeId = waiting?.challengeId ?? world.payments.get(id)?.challengeId ?? id;
  if (world.challenges.get(challengeId) === undefined) throw new Error(`nothing awaits the bank: ${id}`);
  return challengeId;
}
