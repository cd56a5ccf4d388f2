/** The ledger of charges, against which tests compare the shop's orders. */
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

/** Append-only; an entry is on disk before the response is sent. */
export class Ledger {
  readonly #log: AppendOnlyLog;
  readonly #entries = new Map<string, LedgerEntry>();

  constructor(dataDir: string | undefined) {
    this.#log = new AppendOnlyLog(dataDir, 'ledger.jsonl', { durable: true });
    for (const entry of this.#log.records as readonly LedgerEntry[]) this.#entries.set(entry.id, entry);
  }

  /** Adds an entry. A repeated charge of the same session or payment changes nothing. */
  charge(entry: LedgerEntry): void {
    if (this.#entries.has(entry.id)) return;
    this.#entries.set(entry.id, entry);
    this.#log.append(entry);
  }

  entries(): readonly LedgerEntry[] {
    return [...this.#entries.values()];
  }

  close(): void {
    this.#log.close();
  }
}
