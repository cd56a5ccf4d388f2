/** A map of records by id that survives a restart: the last record of an id in the log is valid. */
import type { AppendOnlyLog } from './append-only-log.js';

export class Table<T extends { readonly id: string }> {
  readonly #records = new Map<string, T>();
  readonly #kind: string;
  readonly #log: AppendOnlyLog;

  constructor(kind: string, log: AppendOnlyLog) {
    this.#kind = kind;
    this.#log = log;
    for (const line of log.records) {
      // The simulator wrote the line, so its kind determines its shape.
      const { kind: recordKind, record } = line as { readonly kind: string; readonly record: T };
      if (recordKind === kind) this.#records.set(record.id, record);
    }
  }

  get(id: string): T | undefined {
    return this.#records.get(id);
  }

  all(): readonly T[] {
    return [...this.#records.values()];
  }

  save(record: T): T {
    this.#records.set(record.id, record);
    this.#log.append({ kind: this.#kind, record });
    return record;
  }
}
