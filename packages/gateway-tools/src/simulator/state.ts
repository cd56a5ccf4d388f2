import { randomBytes } from 'node:crypto';
import { CallLog } from './call-log.js';
import { FaultQueue } from './faults.js';
import type { CardToken, Charge, Delivery, Payment, Refund, Replay, ReturnedMoney, Session } from './model.js';
import { AppendOnlyLog, Table } from './records.js';
import type { Settings, SimulatorOptions } from './settings.js';

export type SimulatorState = ReturnType<typeof createState>;

/** Reads the records and the ledger of an earlier simulator from `dataDir`. */
export function createState(options: SimulatorOptions) {
  const records = new AppendOnlyLog(options.dataDir, 'records.jsonl', { durable: false });
  // A charge or refund is on disk before the response is sent.
  const ledger = new AppendOnlyLog(options.dataDir, 'ledger.jsonl', { durable: true });
  const { now = Date.now, random = randomBytes } = options;
  // Random, because the database of a shop may contain the numbers of an earlier simulator.
  let lastNumber = 100_000 + (Buffer.from(random(4)).readUInt32BE() % 900_000_000);
  let clockOffsetMs = 0;
  const state = {
    options,
    settings: initialSettings(options),
    /** The public address. Empty until the simulator listens. */
    url: '',
    sessions: new Table<Session>('session', records),
    payments: new Table<Payment>('payment', records),
    refunds: new Table<Refund>('refund', records),
    replays: new Table<Replay>('replay', records),
    tokens: new Table<CardToken>('token', records),
    charges: new Table<Charge>('charge', ledger),
    returned: new Table<ReturnedMoney>('refund', ledger),
    deliveries: new Map<string, Delivery>(),
    faults: new FaultQueue(),
    calls: new CallLog(),
    /** Access token of the tokenizer → when it expires. */
    accessTokens: new Map<string, number>(),
    shutdown: new AbortController(),
    now: () => now() + clockOffsetMs,
    random: (bytes: number) => Buffer.from(random(bytes)),
    uuid: () => uuid(random(16)),
    advanceClock(ms: number): void {
      clockOffsetMs += ms;
    },
    /** Writes a charge to the ledger. A repeated charge of the same session or payment changes nothing. */
    charge(charge: Omit<Charge, 'at'>): void {
      if (state.charges.get(charge.id) === undefined) state.charges.save({ ...charge, at: state.now() });
    },
    nextNumber(): number {
      lastNumber += 1;
      return lastNumber;
    },
    /** Restores settings and clock, and removes faults and logged calls. The ledger stays. */
    reset(): void {
      clockOffsetMs = 0;
      state.settings = initialSettings(options);
      state.faults.clear();
      state.calls.clear();
    },
    close(): void {
      ledger.close();
      records.close();
    },
  };
  return state;
}

/** Returns a UUIDv4. */
function uuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  const variant = '89ab'.charAt((bytes[8] ?? 0) % 4);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
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
    latePaymentMinutes: 0,
  };
}
