/** The ledger of charges and refunds, against which tests compare the shop's orders. */
import { AppendOnlyLog } from './append-only-log.js';

export interface LedgerEntry {
  readonly kind: 'session' | 'payment';
  readonly id: string;
  readonly paymentId: number;
  readonly amountMinor: number;
  readonly currency: string;
  readonly reference: string | null;
  /** Milliseconds by the simulator's clock. */
  readonly at: number;
}

/** Money that was returned for a card payment. */
export interface RefundEntry {
  readonly kind: 'refund';
  readonly id: string;
  /** The id of the payment's charge. */
  readonly originalId: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** Milliseconds by the simulator's clock. */
  readonly at: number;
}

/** Append-only; an entry is on disk before the response is sent. */
export class Ledger {
  readonly #log: AppendOnlyLog;
  readonly #charges = new Map<string, LedgerEntry>();
  readonly #refunds = new Map<string, RefundEntry>();

  constructor(dataDir: string | undefined) {
    this.#log = new AppendOnlyLog(dataDir, 'ledger.jsonl', { durable: true });
    for (const entry of this.#log.records as readonly (LedgerEntry | RefundEntry)[]) {
      if (entry.kind === 'refund') this.#refunds.set(entry.id, entry);
      else this.#charges.set(entry.id, entry);
    }
  }

  /** Adds an entry. A repeated charge of the same session or payment changes nothing. */
  charge(entry: LedgerEntry): void {
    if (this.#charges.has(entry.id)) return;
    this.#charges.set(entry.id, entry);
    this.#log.append(entry);
  }

  refund(entry: RefundEntry): void {
    this.#refunds.set(entry.id, entry);
    this.#log.append(entry);
  }

  charges(): readonly LedgerEntry[] {
    return [...this.#charges.values()];
  }

  refunds(): readonly RefundEntry[] {
    return [...this.#refunds.values()];
  }

  close(): void {
    this.#log.close();
  }
}
