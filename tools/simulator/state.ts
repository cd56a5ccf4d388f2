import { randomInt } from 'node:crypto';
import { CallLog } from './call-log.js';
import { FaultQueue } from './faults.js';
import type {
  CardToken,
  Charge,
  Delivery,
  Payment,
  Refund,
  Replay,
  ReturnedMoney,
  Session,
} from './model.js';
import { AppendOnlyLog, Table } from './records.js';
import type { Settings, SimulatorOptions } from './settings.js';

export class SimulatorState {
  readonly options: SimulatorOptions;
  readonly sessions: Table<Session>;
  readonly payments: Table<Payment>;
  readonly refunds: Table<Refund>;
  readonly replays: Table<Replay>;
  readonly tokens: Table<CardToken>;
  readonly charges: Table<Charge>;
  readonly returned: Table<ReturnedMoney>;
  readonly deliveries = new Map<string, Delivery>();
  readonly faults = new FaultQueue();
  readonly calls = new CallLog();
  /** Access token of the tokenizer → when it expires. */
  readonly accessTokens = new Map<string, number>();
  /** Idempotency key → id of the last session created with it. */
  readonly sessionIds = new Map<string, string>();
  readonly shutdown = new AbortController();
  readonly #records: AppendOnlyLog;
  /** A charge or refund is on disk before the response is sent. */
  readonly #ledger: AppendOnlyLog;
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
    this.tokens = new Table('token', this.#records);
    this.#ledger = new AppendOnlyLog(options.dataDir, 'ledger.jsonl', { durable: true });
    this.charges = new Table('charge', this.#ledger);
    this.returned = new Table('refund', this.#ledger);
    // Random, because the database of a shop may contain the numbers of an earlier simulator.
    this.#lastNumber = randomInt(100_000, 900_000_000);
    for (const { id, idempotencyKey } of this.sessions.all())
      if (idempotencyKey !== undefined) this.sessionIds.set(idempotencyKey, id);
  }

  now(): number {
    return Date.now() + this.#clockOffsetMs;
  }

  /** Writes a charge to the ledger. A repeated charge of the same session or payment changes nothing. */
  charge(charge: Omit<Charge, 'at'>): void {
    if (this.charges.get(charge.id) === undefined) this.charges.save({ ...charge, at: this.now() });
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
    this.#ledger.close();
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
