/** The state of one simulator. */
import { randomInt } from 'node:crypto';
import { AppendOnlyLog } from './append-only-log.js';
import { CallLog } from './call-log.js';
import { FaultQueue } from './faults.js';
import { Ledger } from './ledger.js';
import type { CardToken, Challenge, Payment, Refund, Replay, Session } from './model.js';
import type { Settings, SimulatorOptions } from './settings.js';
import { Table } from './table.js';
import { Webhooks } from './webhooks.js';

export class SimulatorState {
  readonly options: SimulatorOptions;
  readonly sessions: Table<Session>;
  readonly payments: Table<Payment>;
  readonly refunds: Table<Refund>;
  readonly replays: Table<Replay>;
  readonly challenges: Table<Challenge>;
  readonly tokens: Table<CardToken>;
  readonly ledger: Ledger;
  readonly webhooks: Webhooks;
  readonly faults = new FaultQueue();
  readonly calls = new CallLog();
  /** Access token of the tokenizer → when it expires. */
  readonly accessTokens = new Map<string, number>();
  /** Idempotency key → id of the last session created with it. */
  readonly sessionIds = new Map<string, string>();
  readonly shutdown = new AbortController();
  readonly #records: AppendOnlyLog;
  #clockOffsetMs = 0;
  #lastNumber: number;
  settings: Settings;
  /** The public address. Empty until the simulator listens. */
  url = '';

  constructor(options: SimulatorOptions) {
    this.options = options;
    this.settings = initialSettings(options);
    this.#records = new AppendOnlyLog(options.dataDir, 'records.jsonl', { durable: false });
    this.sessions = new Table('session', this.#records);
    this.payments = new Table('payment', this.#records);
    this.refunds = new Table('refund', this.#records);
    this.replays = new Table('replay', this.#records);
    this.challenges = new Table('challenge', this.#records);
    this.tokens = new Table('token', this.#records);
    this.ledger = new Ledger(options.dataDir);
    this.webhooks = new Webhooks(this);
    // Random, because the database of a shop may contain the numbers of an earlier simulator.
    this.#lastNumber = randomInt(100_000, 900_000_000);
    for (const { id, idempotencyKey } of this.sessions.all())
      if (idempotencyKey !== undefined) this.sessionIds.set(idempotencyKey, id);
  }

  /** Milliseconds by the simulator's clock. */
  now(): number {
    return Date.now() + this.#clockOffsetMs;
  }

  advanceClock(ms: number): void {
    this.#clockOffsetMs += ms;
  }

  nextNumber(): number {
    this.#lastNumber += 1;
    return this.#lastNumber;
  }

  /** Restores settings and clock, and removes faults and logged calls. The ledger stays. */
  reset(): void {
    this.#clockOffsetMs = 0;
    this.settings = initialSettings(this.options);
    this.faults.clear();
    this.calls.clear();
  }

  close(): void {
    this.shutdown.abort();
    this.ledger.close();
    this.#records.close();
  }
}

function initialSettings({ profile = 'interface' }: SimulatorOptions): Settings {
  return {
    profile,
    declineHttpStatus: 200,
    signingSecret: null,
    signingText: 'both',
    refundStatus: 'Success',
    refundsPerPayment: 'one',
    webhooks: 'on',
  };
}
