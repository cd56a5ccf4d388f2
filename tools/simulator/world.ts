/** The state of one simulator. */
import { randomInt } from 'node:crypto';
import { Exchanges } from './exchanges.js';
import { FaultQueue } from './faults.js';
import { type AppendFile, openAppendFile, Table } from './journal.js';
import { Ledger } from './ledger.js';
import type { CardToken, Challenge, Payment, Profile, Session } from './model.js';
import { type WebhookAuth, Webhooks } from './webhooks.js';

export interface WorldOptions {
  readonly apiKey: string;
  readonly profile: Profile;
  readonly dataDir: string | undefined;
  readonly webhookUrl: string | undefined;
  readonly webhookAuth: WebhookAuth;
  readonly webhookRetryDelayMs: number;
}

export interface Settings {
  readonly profile: Profile;
  readonly declineHttpStatus: 200 | 402;
  readonly signingSecret: string | null;
  /** Which form of the body a signature may cover. */
  readonly signingText: SigningText;
}

export type SigningText = 'both' | 'ascii' | 'utf8';

export class World {
  readonly options: WorldOptions;
  readonly sessions: Table<Session>;
  readonly payments: Table<Payment>;
  readonly challenges: Table<Challenge>;
  readonly tokens: Table<CardToken>;
  readonly ledger: Ledger;
  readonly webhooks: Webhooks;
  readonly faults = new FaultQueue();
  readonly exchanges = new Exchanges();
  /** Access token of the tokenizer → its end. */
  readonly accessTokens = new Map<string, number>();
  /** Idempotency key → its last session. */
  readonly sessionKeys = new Map<string, string>();
  /** Request id → its payment. */
  readonly paymentKeys = new Map<string, string>();
  readonly closing = new AbortController();
  readonly #journal: AppendFile;
  #clockAheadMs = 0;
  #lastNumber: number;
  settings: Settings;
  /** The public address; empty until it listens. */
  url = '';

  constructor(options: WorldOptions) {
    this.options = options;
    this.settings = this.firstSettings();
    this.#journal = openAppendFile(options.dataDir, 'journal.jsonl', false);
    this.sessions = new Table('session', this.#journal);
    this.payments = new Table('payment', this.#journal);
    this.challenges = new Table('challenge', this.#journal);
    this.tokens = new Table('token', this.#journal);
    this.ledger = new Ledger(options.dataDir);
    this.webhooks = new Webhooks({
      url: options.webhookUrl,
      auth: options.webhookAuth,
      retryDelayMs: options.webhookRetryDelayMs,
      now: () => this.now(),
      exchanges: this.exchanges,
    });
    // Random, because a shop may still have the numbers of an earlier simulator.
    this.#lastNumber = randomInt(100_000, 900_000_000);
    this.#recallKeys();
  }

  /** Milliseconds by the simulator's clock. */
  now(): number {
    return Date.now() + this.#clockAheadMs;
  }

  advanceClock(ms: number): void {
    this.#clockAheadMs += ms;
  }

  nextNumber(): number {
    this.#lastNumber += 1;
    return this.#lastNumber;
  }

  firstSettings(): Settings {
    return {
      profile: this.options.profile,
      declineHttpStatus: 200,
      signingSecret: null,
      signingText: 'both',
    };
  }

  /** Restores faults, settings, calls and clock; the ledger stays. */
  reset(): void {
    this.#clockAheadMs = 0;
    this.settings = this.firstSettings();
    this.webhooks.mode = 'on';
    this.webhooks.url = this.options.webhookUrl;
    this.faults.clear();
    this.exchanges.clear();
  }

  close(): void {
    this.closing.abort();
    this.webhooks.close();
    this.ledger.close();
    this.#journal.close();
  }

  #recallKeys(): void {
    for (const { id, idempotencyKey } of this.sessions.all()) {
      if (idempotencyKey !== undefined) this.sessionKeys.set(idempotencyKey, id);
    }
    for (const { id, replay } of this.payments.all()) {
      if (replay !== undefined) this.paymentKeys.set(replay.key, id);
    }
  }
}
