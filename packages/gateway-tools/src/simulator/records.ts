/** Records that survive a restart, in append-only files. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** An append-only file with one JSON record per line. Without a folder, nothing is stored. */
export class AppendOnlyLog {
  /** The records that the file contained when it was opened. */
  readonly records: readonly unknown[];
  readonly #file: number | undefined;
  readonly #durable: boolean;

  /** `durable`: each record is on disk when `append` returns. */
  constructor(folder: string | undefined, name: string, { durable }: { readonly durable: boolean }) {
    this.#durable = durable;
    this.records = [];
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    const path = join(folder, name);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    this.records = text.split('\n').flatMap(parseLine);
    this.#file = openSync(path, 'a', 0o600);
    // A crash may have left an incomplete last line. A new record must not be appended to it.
    if (text !== '' && !text.endsWith('\n')) writeSync(this.#file, '\n');
  }

  append(record: unknown): void {
    if (this.#file === undefined) return;
    writeSync(this.#file, `${JSON.stringify(record)}\n`);
    if (this.#durable) fsyncSync(this.#file);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

/** A map of records by id. The last record of an id in the log is valid. */
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

function parseLine(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
