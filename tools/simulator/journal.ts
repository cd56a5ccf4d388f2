/** Append-only files with one JSON record per line; the last record of an id is valid. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface AppendFile {
  readonly records: readonly unknown[];
  append(record: unknown): void;
  close(): void;
}

/** Opens a file for appending; without a folder records are in memory only. */
export function openAppendFile(folder: string | undefined, name: string, durable: boolean): AppendFile {
  if (folder === undefined) return { records: [], append: () => undefined, close: () => undefined };
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const file = openSync(path, 'a', 0o600);
  // A crash may have left an incomplete last line; a new record must not be appended to it.
  if (text !== '' && !text.endsWith('\n')) writeSync(file, '\n');
  return {
    records: text.split('\n').flatMap(parseLine),
    append(record) {
      writeSync(file, `${JSON.stringify(record)}\n`);
      if (durable) fsyncSync(file);
    },
    close: () => closeSync(file),
  };
}

function parseLine(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

/** A map of records by id that survives a restart through its journal. */
export class Table<T extends { readonly id: string }> {
  readonly #records = new Map<string, T>();
  readonly #kind: string;
  readonly #journal: AppendFile;

  constructor(kind: string, journal: AppendFile) {
    this.#kind = kind;
    this.#journal = journal;
    for (const line of journal.records) {
      // The simulator wrote the line, so its kind determines its shape.
      const { kind: written, record } = line as { readonly kind: string; readonly record: T };
      if (written === kind) this.#records.set(record.id, record);
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
    this.#journal.append({ kind: this.#kind, record });
    return record;
  }
}
