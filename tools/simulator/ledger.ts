/** The ledger of charges, against which tests compare the shop's orders. */
import { type AppendFile, openAppendFile } from './journal.js';

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

/** Append-only; on disk before the response is sent. */
export class Ledger {
  readonly #file: AppendFile;
  readonly #entries: LedgerEntry[];
  readonly #charged: Set<string>;

  constructor(dataDir: string | undefined) {
    this.#file = openAppendFile(dataDir, 'ledger.jsonl', true);
    this.#entries = [...(this.#file.records as readonly LedgerEntry[])];
    this.#charged = new Set(this.#entries.map(nameOf));
  }

  /** Adds an entry. A repeated charge of the same session or payment changes nothing. */
  charge(entry: LedgerEntry): void {
    if (this.#charged.has(nameOf(entry))) return;
    this.#charged.add(nameOf(entry));
    this.#entries.push(entry);
    this.#file.append(entry);
  }

  entries(): readonly LedgerEntry[] {
    return [...this.#entries];
  }

  close(): void {
    this.#file.close();
  }
}

function nameOf(entry: LedgerEntry): string {
  return `${entry.kind} ${entry.id}`;
}
